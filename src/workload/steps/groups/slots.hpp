// The slots of a planned job: why ranks communicate, and which ranks with which.
#pragma once

#include "workload/steps/job_program.hpp"
#include "workload/steps/widths.hpp"

namespace trainyard {

// A pipeline's transfers go to the stage after (round, from the last to the first) or before. A
// process group of two is named by two slots: its sender's `out` and its receiver's `in`.
struct TransferSlots {
  int out = -1, in = -1;
};

// Indices into JobProgram::slots. Collectives of a slot share a stream, as they share a
// communicator.
struct Slots {
  int tensor = -1;
  int context = -1;
  TransferSlots context_ring;
  int expert = -1;
  int shard = -1;        // ranks that sum gradients and, with ZeRO, hold one copy together
  int replicas = -1;     // ranks that hold the same part of different copies
  int expert_data = -1;  // ranks that hold the same experts
  TransferSlots forward_next, forward_previous, backward_next, backward_previous;
  int embedding = -1;  // ranks that hold the same part of a tied embedding
  int mirror = -1;     // DualPipe: stages that hold the same two parts of the model
  int world = -1;
};

// Adds slots, process groups and ranks to the job; each rank's program is its pipeline stage.
// Groups of one rank are left out: the rank's role says -1.
Slots add_groups(JobProgram& job, const ModelSpec& model, const Layout& layout,
                 const Widths& widths);

}  // namespace trainyard
