// What a recorded step holds, in numbers.
#pragma once

#include "workload/importers/recorded/recorded_step.hpp"

namespace trainyard {

struct RankSummary {
  std::int64_t computations = 0, communications = 0;
  Seconds compute;        // of kernels
  Seconds communication;  // of communication, where the record says
  Seconds launch_gaps;    // the GPU idle until the CPU launched
  Seconds span;           // from the first start to the last end, where the record says

  // More than a tenth of the step is gaps.
  bool launch_bound() const { return span > seconds(0) && launch_gaps > span * 0.1; }
};
RankSummary summary_of(const RecordedRank& rank);

// All that one rank of a group asks of it, summed by kind; a transfer's sender.
struct Traffic {
  std::string group;
  std::size_t ranks = 0;
  CollectiveKind kind = CollectiveKind::AllReduce;
  std::int64_t count = 0;
  Bytes bytes;
};
// By group in the step's order, then kind. Transfers are summed over all pairs.
std::vector<Traffic> traffic_of(const RecordedStep& step);

}  // namespace trainyard
