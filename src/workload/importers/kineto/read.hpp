// PyTorch's profiler (Kineto), .json or .json.gz, one file a rank: the kernels of one step.
//
// The rank is the profile's own (distributedInfo), or else the number in the file's name. Of
// several marked steps (ProfilerStep#n) the middle one that all files have is taken: the first
// warms up, the last may be cut.
//
// Streams are the profile's. A profile does not say what waits for what across streams; this is
// told from times. A collective waits for what was launched before it, as PyTorch's do. A kernel
// waits for a collective if it was launched and its stream was free before the collective's end,
// and it started only after that. Whatever time a stream then stands idle before a kernel is a
// launch gap, an operation of its own. So the step, played on what it was recorded on, takes as
// long as it was recorded to take.
//
// A collective of which the profile does not tell the bytes keeps the time it took; the linter
// warns of it.
#pragma once

#include "workload/importers/recorded/rank_files.hpp"
#include "workload/importers/recorded/recorded_step.hpp"

namespace trainyard {

RecordedStep read_kineto(const RecordedOptions& options);

}  // namespace trainyard
