// PyTorch's execution trace of the host (JSON, "schema" ... "-chakra."), one file a rank: which
// collectives a rank asked for, in which order, of how many bytes, among whom.
//
// Kernels and times are not in it: its steps only communicate. Collectives are its
// record_param_comms nodes; waits among them are left out.
#pragma once

#include "workload/importers/recorded/rank_files.hpp"
#include "workload/importers/recorded/recorded_step.hpp"

namespace trainyard {

RecordedStep read_execution_trace(const RecordedOptions& options);

}  // namespace trainyard
