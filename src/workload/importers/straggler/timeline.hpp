// ByteDance's straggler traces, in their timeline form (Chrome trace events, .json or .json.gz):
// every operation of many steps of a training job, one traced rank for each (data rank, stage).
//
// The process of an event is its data rank, the thread tells its rank (five threads each) and, by
// the thread's name, its pipeline stage. Times of communication are of the transfer alone, from
// the moment the last member came to it; when each member came is not in this form.
//
// Every (step, data rank, stage) must hold the same operations; what is missing, double, of an
// unknown type or without its place is an error that names the event or the step. Parquet files
// are refused: Debian has no library for them, and the timeline holds what a replay needs.
#pragma once

#include "base/quantity.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

enum class StragglerOp {
  ForwardCompute,
  BackwardCompute,
  ForwardSend,
  ForwardRecv,
  BackwardSend,
  BackwardRecv,
  ParamsAllGather,
  GradsReduceScatter,
  LayernormGradsAllReduce,
  EmbeddingGradsAllReduce,
  SeparateGradsAllReduce,
  OptimizerClipMainGrad,
  Optimizer,
  Gc
};
constexpr int kStragglerOps = 14;
const char* to_string(StragglerOp type);

struct TimelineOperation {
  StragglerOp type = StragglerOp::Gc;
  int step = 0, dp_rank = 0, stage = 0;
  int sequence = 0;  // among those of its type in the step on that rank, by start
  int chunk = -1;    // model chunk (of interleaved pipelines) within the stage; -1: of none
  Seconds start, duration;
};

struct StragglerTimeline {
  int dp_ranks = 0, stages = 0;
  std::vector<int> steps;               // ascending
  std::vector<std::vector<int>> ranks;  // [dp_rank][stage]: the traced rank's number in the job
  std::vector<TimelineOperation> operations;  // by step, data rank, stage, type, sequence
};

StragglerTimeline read_straggler_timeline(const std::string& file);

}  // namespace trainyard
