#include "workload/steps/writers/data_writer.hpp"

#include <algorithm>

namespace trainyard {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Unit sum(const std::vector<Unit>& units, Bucket bucket) {
  Unit result;
  for (int i = bucket.first; i <= bucket.last; ++i) {
    result.dense += units[index(i)].dense;
    result.experts += units[index(i)].experts;
  }
  return result;
}

Unit sum(const std::vector<Unit>& units) {
  return sum(units, {0, static_cast<int>(units.size()) - 1});
}

}  // namespace

DataWriter::DataWriter(ProgramWriter& writer, const Layout& layout, const Widths& widths,
                       const Slots& slots, const std::vector<std::vector<Unit>>& chunks)
    : writer_(writer), layout_(layout), widths_(widths), slots_(slots) {
  for (const std::vector<Unit>& units : chunks)
    chunks_.push_back({units, buckets(units, bucket_parameters()),
                       std::vector<std::vector<int>>(units.size()),
                       std::vector<bool>(units.size(), false)});
}

// Megatron-LM's default; without overlap a chunk is one bucket.
std::int64_t DataWriter::bucket_parameters() const {
  if (layout_.bucket_parameters > 0) return layout_.bucket_parameters;
  return std::max<std::int64_t>(40'000'000, 1'000'000LL * widths_.context * widths_.data);
}

// ---- Parameters ----

std::vector<int> DataWriter::gather(const Unit& unit, const std::vector<int>& after) {
  const auto message = [](int slot, std::int64_t parameters) {
    return Message{slot, CollectiveKind::AllGather, Bytes(2 * parameters)};
  };
  return {
      writer_.start_after("parameters", message(slots_.shard, unit.dense), after),
      writer_.start_after("expert parameters", message(slots_.expert_data, unit.experts), after)};
}

void DataWriter::start_step() {
  if (!gathers_after_update() || !layout_.overlap_param_gather) return;
  for (Chunk& chunk : chunks_)
    for (auto bucket = chunk.buckets.rbegin(); bucket != chunk.buckets.rend(); ++bucket) {
      const std::vector<int> gathers = gather(sum(chunk.units, *bucket), {});
      for (int i = bucket->first; i <= bucket->last; ++i) chunk.gathers[index(i)] = gathers;
    }
}

void DataWriter::finish_step() {
  if (!gathers_after_update() || layout_.overlap_param_gather) return;
  for (const Chunk& chunk : chunks_) gather(sum(chunk.units), {writer_.computed()});
}

bool DataWriter::keeps_after_forward(const Unit& unit) const {
  return !layout_.reshard_after_forward || unit.kind != Unit::Kind::Layer;
}

// The end of the unit computed `back` units ago: parameters are gathered while the unit before
// theirs is computed, not earlier, or memory would hold too many.
int DataWriter::computed_before(std::size_t back) const {
  return computed_.size() < back ? ProgramWriter::kNone : computed_[computed_.size() - back];
}

void DataWriter::bring(At at, int computed) {
  Chunk& chunk = chunks_[index(at.chunk)];
  if (!gathers_before_use() || chunk.held[index(at.unit)]) return;
  chunk.held[index(at.unit)] = true;
  chunk.gathers[index(at.unit)] = gather(chunk.units[index(at.unit)], {computed});
}

void DataWriter::use(At at) {
  std::vector<int>& gathers = chunks_[index(at.chunk)].gathers[index(at.unit)];
  for (const int operation : gathers) writer_.wait(operation);
  gathers.clear();
}

void DataWriter::before_forward(At at) {
  bring(at, computed_before(2));
  use(at);
}

// The next unit is asked for before this one's gradients: FSDP's prefetch, on the same stream.
void DataWriter::before_backward(At at) {
  bring(at, computed_before(2));
  use(at);
  if (at.unit > 0) bring({at.chunk, at.unit - 1}, computed_before(1));
}

void DataWriter::after_forward(At at) {
  if (!gathers_before_use()) return;
  computed_.push_back(writer_.computed());
  Chunk& chunk = chunks_[index(at.chunk)];
  if (!keeps_after_forward(chunk.units[index(at.unit)])) chunk.held[index(at.unit)] = false;
}

void DataWriter::after_backward(At at) {
  if (!gathers_before_use()) return;
  computed_.push_back(writer_.computed());
  const bool for_the_step = widths_.pipeline > 1 && !layout_.reshard_after_forward;
  if (!for_the_step) chunks_[index(at.chunk)].held[index(at.unit)] = false;
}

// ---- Gradients ----

bool DataWriter::reduces(Turn turn) const {
  if (turn == Turn::Last) return layout_.overlap_grad_reduce || layout_.zero >= 2;
  return layout_.zero == 2 || (layout_.zero == 3 && layout_.reduce_every_micro_batch);
}

void DataWriter::after_weights(At at, Turn turn) {
  if (!reduces(turn)) return;
  const Chunk& chunk = chunks_[index(at.chunk)];
  if (gathers_before_use()) return reduce(chunk.units[index(at.unit)]);
  if (!layout_.overlap_grad_reduce) {
    if (at.unit == 0) reduce(sum(chunk.units));
    return;
  }
  for (const Bucket& bucket : chunk.buckets)
    if (bucket.first == at.unit) reduce(sum(chunk.units, bucket));
}

void DataWriter::reduce(const Unit& unit) {
  reduce_on(slots_.shard, unit.dense);
  reduce_on(slots_.expert_data, unit.experts);
}

void DataWriter::reduce_on(int slot, std::int64_t parameters) {
  const Bytes size(parameters * (layout_.gradients == Precision::Fp32 ? 4 : 2));
  const bool sharded = layout_.zero > 0;
  const int reduced = writer_.start(
      "gradients",
      {slot, sharded ? CollectiveKind::ReduceScatter : CollectiveKind::AllReduce, size});
  if (reduced != ProgramWriter::kNone) last_on_slot_[slot] = reduced;
  if (!sharded || slot != slots_.shard) return;
  const Message copies{slots_.replicas, CollectiveKind::AllReduce, size / widths_.shard};
  const int summed = reduced == ProgramWriter::kNone
                         ? writer_.start("gradients of copies", copies)
                         : writer_.start_after("gradients of copies", copies, {reduced});
  if (summed != ProgramWriter::kNone) last_on_slot_[slots_.replicas] = summed;
}

void DataWriter::finish_gradients() {
  if (layout_.zero < 2 && !layout_.overlap_grad_reduce)
    for (const Chunk& chunk : chunks_) reduce(sum(chunk.units));
  for (const auto& [slot, operation] : last_on_slot_) writer_.wait(operation);
}

}  // namespace trainyard
