// BlockWriter: a block's computations and what tensor, context and expert ranks communicate between
// them, by the rules of Megatron-LM.
//
// Tensor ranks (s b h: the hidden state of a micro-batch on one context rank):
//   without sequence parallelism: all-reduce s b h after `out` forward, and of the input's gradient
//     before `before` backward, while weight gradients are computed;
//   with it: all-gather s b h before `in`, reduce-scatter after `out`; backward all-gather of the
//     gradient before `out`, all-gather of the input again (only `in`'s weight gradients need it)
//     beside the input gradient, whose reduce-scatter is beside the weight gradients. Overlapped,
//     the other gathers and scatters go piece by piece beside the matrix that they feed or empty:
//     all but the last piece of it, or the first, is computed meanwhile.
// Experts: an all-to-all of the dispatched tokens before `in` and one after `out`, both again
// backward; with expert tensor ranks an all-gather after the first and a reduce-scatter before the
// second.
// Context ranks: a ring passes keys and values on while the core computes (backward also their
// gradients), or an all-gather of both before it (backward again, and a reduce-scatter of the
// gradients).
#pragma once

#include "workload/steps/groups/slots.hpp"
#include "workload/steps/kernels/blocks.hpp"
#include "workload/steps/writers/program_writer.hpp"

#include <string>

namespace trainyard {

enum class BlockKind { Attention, Mlp, Experts };
enum class Gradients { Both, Inputs, Weights };  // what of a backward pass is listed

class BlockWriter {
public:
  BlockWriter(ProgramWriter& writer, const BlockSizes& sizes, const Slots& slots)
      : writer_(writer), sizes_(sizes), slots_(slots) {}

  void forward(BlockKind kind, const Block& block);
  void backward(BlockKind kind, const Block& block, Gradients gradients);

  // The hidden state of a micro-batch on one context rank, and a message of it among tensor ranks.
  Bytes hidden_state() const;
  Message among_tensor(CollectiveKind kind, Bytes size) const {
    return {slots_.tensor, kind, size};
  }

  // The regions' ends, for what is no block: embedding and head.
  void gather_input();
  void inputs_of_column_matrix(const Part& matrix, Gradients gradients);

private:
  void matrix_of_gathered(const std::string& name, const Work& matrix);
  void matrix_to_scatter(const std::string& name, const Work& matrix);
  void into_experts(const char* name, const Message& message);
  void out_of_experts(const char* name);
  void weights_of_column_matrix(const Part& matrix);
  void core_forward(const Work& core);
  void core_backward(const Part& core);
  void ring_forward(const Work& core);
  void ring_backward(const Work& core);
  int pass_on(const char* name, Bytes size, int received);
  Bytes keys_and_values() const;
  Message dispatch() const;
  Message all_to_all() const;
  Message among_expert_tensor(CollectiveKind kind) const;

  ProgramWriter& writer_;
  const BlockSizes& sizes_;
  const Slots& slots_;
};

}  // namespace trainyard
