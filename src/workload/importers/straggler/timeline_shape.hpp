// From the events of a straggler timeline, in any order, to operations in order: one rank for each
// (data rank, stage), and the same operations in every step.
#pragma once

#include "workload/importers/straggler/timeline.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace trainyard {

struct TimelineThread {
  int dp_rank = 0, thread = 0;
  bool operator<(const TimelineThread& other) const {
    return std::tie(dp_rank, thread) < std::tie(other.dp_rank, other.thread);
  }
};

struct TimelineEvent {
  TimelineOperation operation;
  TimelineThread thread;
  std::int64_t event = 0;
};

StragglerTimeline in_shape(const std::vector<TimelineEvent>& operations, const std::string& file);

}  // namespace trainyard
