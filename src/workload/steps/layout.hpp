// Layout: how the ranks of a job divide a model and its batch, in Megatron's and FSDP's terms.
//
// What is not said has the default of the framework that has the setting. Whether a layout fits a
// model and a number of GPUs is checked where all three are known (widths.hpp).
#pragma once

#include "config/section.hpp"
#include "workload/steps/kernel.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

enum class PipelineSchedule { GPipe, OneForwardOneBackward, Interleaved, ZeroBubbleH1, DualPipe };
enum class Recompute { None, Selective, Full };  // Selective: the attention's core, as Megatron
enum class ContextExchange { Ring, AllGather };  // how context ranks come by keys and values
enum class AttentionKernel { Flash, Unfused };   // Unfused: all scores are written to memory

struct Layout {
  int tensor = 1;
  bool sequence_parallel = false;  // all-gather and reduce-scatter instead of all-reduce
  bool overlap_tensor = false;     // they are in pieces, beside the matrix next to them (async TP)
  int pipeline = 1;
  PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
  int chunks = 1;                 // model chunks a stage holds: Megatron's virtual stages
  std::vector<int> stage_layers;  // by virtual stage; none: evenly
  bool count_embedding = false;   // the first and the last virtual stage have a layer less
  bool overlap_p2p = true;        // computing goes on while a stage's output is under way
  bool scatter_gather = false;    // a tensor rank sends its part; NVLink puts them together
  int context = 1;
  ContextExchange context_exchange = ContextExchange::Ring;
  int expert = 1;
  int expert_tensor = 1;
  Precision dispatch = Precision::Bf16;  // of tokens on their way to experts
  int micro_batch = 1;
  int global_batch = 1;
  std::string order = "tp-cp-ep-dp-pp";  // of ranks: the first changes fastest

  // 0: gradients all-reduced. 1: optimizer sharded (Megatron's distributed optimizer). 2: gradients
  // too, reduced after every micro-batch. 3: parameters too (FSDP's full shard).
  int zero = 0;
  int shard_group = 0;  // hybrid sharding: ranks that hold one copy together; 0: all that could
  bool reshard_after_forward = true;      // zero 3
  bool reduce_every_micro_batch = false;  // zero 3: off is PyTorch's no_sync
  Precision gradients = Precision::Fp32;  // accumulated and reduced so
  bool overlap_grad_reduce = true;
  bool overlap_param_gather = true;
  std::int64_t bucket_parameters = 0;  // of overlapped gradients; 0: Megatron's 40 M, 1 M x width
  bool clip_gradients = false;         // one number all-reduced before the optimizer

  Recompute recompute = Recompute::None;
  int recompute_layers = 0;  // Full: of each chunk, from its first on; 0: all
  AttentionKernel attention = AttentionKernel::Flash;
  Precision precision = Precision::Bf16;  // of linear layers
  int sequence = 0;                       // 0: the model's

  // Where it was written, for errors that need the model and the GPUs to be seen.
  Place place;                          // of the section
  std::map<std::string, Place> places;  // of the keys that were said
  std::string path;                     // of its keys: "" or "jobs.layout."
};

// Keys as the members above. schedule: gpipe | 1f1b | interleaved | zb_h1 | dualpipe; recompute:
// none | selective | full; context_exchange: ring | all_gather; attention: flash | unfused;
// precision: bf16 | fp8; gradients: fp32 | bf16; dispatch: bf16 | fp8.
Layout read_layout(Section& section);

}  // namespace trainyard
