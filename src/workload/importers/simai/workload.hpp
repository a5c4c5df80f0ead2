// SimAI's workload text, as AICB writes it: a header with the parallel sizes, the number of rows,
// then a row a layer with computing times and collectives of forward, input gradient and weight
// gradient.
//
// A step is played as SimAI plays it: forward through the rows, each followed by its collective;
// then backward through them, the weight gradient's collective in the background, the input
// gradient's waited for; the update waits for the weight gradient's collective. All ranks do the
// same. Times are nanoseconds; a collective without a suffix is of tensor parallelism, but of data
// parallelism in the weight gradient's column.
//
// A wrong count of rows or columns, an unknown collective, a time or size that is none and an
// unknown key of the header are errors with their line. What is not played (pipeline schedule,
// recomputation from checkpoints) is a note.
#pragma once

#include "workload/importers/recorded/rank_files.hpp"
#include "workload/importers/recorded/recorded_step.hpp"

namespace trainyard {

RecordedStep read_simai(const RecordedOptions& options);

}  // namespace trainyard
