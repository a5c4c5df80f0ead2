// What a recorded step holds, in numbers.
#pragma once

#include "workload/importers/recorded/recorded_step.hpp"

namespace trainyard {

struct RankSummary {
  std::int64_t computations = 0, communications = 0;
  Seconds compute;        // of kernels
  Seconds communication;  // of communication, where the record says
  Seconds launch_gaps;    // as operations, all streams and CPU threads added
  Seconds span;           // from the first start to the last end, where the record says
  Seconds idle;           // of the span: nothing ran on any stream

  // The GPU stands idle for more than a tenth of the step.
  bool launch_bound() const { return idle > span * 0.1; }
};
RankSummary summary_of(const RecordedRank& rank);

// All that one rank of a slot's groups asks of it, summed by kind; of transfers, all of the job.
struct Traffic {
  std::string slot;
  std::size_t groups = 0, ranks = 0;  // how many groups there are, of how many ranks
  CollectiveKind kind = CollectiveKind::AllReduce;
  std::int64_t count = 0;
  Bytes bytes;
};
// By slot, then kind; transfers last.
std::vector<Traffic> traffic_of(const JobProgram& job);

}  // namespace trainyard
