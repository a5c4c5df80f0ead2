// What context ranks communicate around attention's core.
#include "workload/steps/writers/block_writer.hpp"

namespace trainyard {

// Of one micro-batch on one context rank: what the ring passes on.
Bytes BlockWriter::keys_and_values() const {
  const ModelSpec& model = sizes_.model;
  const std::int64_t heads = model.key_value_heads / sizes_.widths.tensor;
  return Bytes(2 * sizes_.share.tokens * heads * (model.head_dim + model.value_dim));
}

// To the next rank of the ring, what came from the one before.
int BlockWriter::pass_on(const char* name, Bytes size, int received) {
  const int computed = writer_.computed();
  const TransferSlots ring = slots_.context_ring;
  writer_.start_after(name, {ring.out, CollectiveKind::SendRecv, size}, {computed, received});
  return writer_.start_after(name, {ring.in, CollectiveKind::SendRecv, size}, {computed, received});
}

void BlockWriter::core_forward(const Work& core) {
  if (sizes_.layout.context_exchange == ContextExchange::Ring) return ring_forward(core);
  const Bytes all = keys_and_values() * sizes_.widths.context;
  writer_.communicate("gather kv", {slots_.context, CollectiveKind::AllGather, all});
  writer_.compute("core", core);
}

// Selective recomputation repeats the forward core, with what it communicates.
void BlockWriter::core_backward(const Part& core) {
  if (sizes_.layout.recompute == Recompute::Selective) core_forward(core.forward);
  if (sizes_.layout.context_exchange == ContextExchange::Ring) return ring_backward(core.inputs);
  const Bytes all = keys_and_values() * sizes_.widths.context;
  writer_.communicate("gather kv", {slots_.context, CollectiveKind::AllGather, all});
  writer_.compute("core", core.inputs);
  writer_.communicate("scatter dkv", {slots_.context, CollectiveKind::ReduceScatter, all});
}

void BlockWriter::ring_forward(const Work& core) {
  const int ranks = sizes_.widths.context;
  int received = ProgramWriter::kNone;
  for (int step = 0; step < ranks; ++step) {
    const bool last = step + 1 == ranks;
    received = last ? ProgramWriter::kNone : pass_on("kv", keys_and_values(), received);
    writer_.compute("core", core / ranks);
    writer_.wait(received);
  }
}

// Keys and values go round as before; behind them go their gradients, which each rank adds to and
// which end one step further, where they belong.
void BlockWriter::ring_backward(const Work& core) {
  const int ranks = sizes_.widths.context;
  if (ranks == 1) return writer_.compute("core", core);
  int received = ProgramWriter::kNone;
  for (int step = 0; step < ranks; ++step) {
    const int parts = (step + 1 < ranks ? 1 : 0) + (step > 0 ? 1 : 0);
    received = pass_on("kv, dkv", keys_and_values() * parts, received);
    writer_.compute("core", core / ranks);
    writer_.wait(received);
  }
}

}  // namespace trainyard
