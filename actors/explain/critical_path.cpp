// The critical path of a recorded step, walked back from the operation that ended last.
#include "actors/explain/waterfall.hpp"

#include <algorithm>

namespace trainyard {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Stop {
  int rank_class = -1, operation = -1;
};

class PathWalk {
public:
  PathWalk(const StepModel& model, const StepTimeline& timeline)
      : model_(model), timeline_(timeline), before_(model.classes.size()) {}

  std::vector<PathPart> walk() {
    std::vector<PathPart> parts;
    for (Stop here = last(); here.operation >= 0;) {
      const OperationTimes& times = times_of(here);
      parts.push_back({here.rank_class, here.operation, times.started, times.ended});
      here = predecessor(came_last(here));
    }
    std::reverse(parts.begin(), parts.end());
    return parts;
  }

private:
  const OperationTimes& times_of(const Stop& stop) const {
    return timeline_.operations[at(stop.rank_class)][at(stop.operation)];
  }

  Stop last() const {
    const auto slowest = std::max_element(timeline_.end.begin(), timeline_.end.end());
    const int rank_class = static_cast<int>(slowest - timeline_.end.begin());
    Stop stop{rank_class, -1};
    const auto& times = timeline_.operations[at(rank_class)];
    for (std::size_t o = 0; o < times.size(); ++o)
      if (stop.operation < 0 || times[o].ended > times_of(stop).ended)
        stop.operation = static_cast<int>(o);
    return stop;
  }

  // A collective starts when its last rank comes: the path goes on there.
  Stop came_last(const Stop& stop) const {
    const OperationTimes& times = times_of(stop);
    if (times.last_class < 0 || times.last_class == stop.rank_class) return stop;
    const int channel = model_.classes[at(stop.rank_class)].operations[at(stop.operation)].channel;
    const auto& operations = model_.classes[at(times.last_class)].operations;
    const auto same = std::find_if(operations.begin(), operations.end(),
                                   [channel](const auto& o) { return o.channel == channel; });
    return {times.last_class, static_cast<int>(same - operations.begin())};
  }

  // Of what it waited for, what ended last; none at the start of the step.
  Stop predecessor(const Stop& stop) {
    const auto& before = before_of(stop.rank_class)[at(stop.operation)];
    Stop result{stop.rank_class, -1};
    for (const int p : before) {
      const Stop candidate{stop.rank_class, p};
      if (result.operation < 0 || times_of(candidate).ended > times_of(result).ended)
        result = candidate;
    }
    return result;
  }

  const std::vector<std::vector<int>>& before_of(int rank_class) {
    auto& before = before_[at(rank_class)];
    const auto& operations = model_.classes[at(rank_class)].operations;
    if (!before.empty()) return before;
    before.resize(operations.size());
    for (std::size_t o = 0; o < operations.size(); ++o)
      for (const int next : operations[o].enables) before[at(next)].push_back(static_cast<int>(o));
    return before;
  }

  const StepModel& model_;
  const StepTimeline& timeline_;
  std::vector<std::vector<std::vector<int>>> before_;  // by class and operation
};

}  // namespace

std::vector<PathPart> critical_path(const StepModel& model, const StepTimeline& timeline) {
  return PathWalk(model, timeline).walk();
}

}  // namespace trainyard
