// Plays a Program on paper: one rank, no contention, every collective as long as the test says.
#pragma once

#include "workload/program.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace trainyard::testing {

using CollectiveTime = std::function<Seconds(const Operation&)>;

// When the last operation ends. Operations are taken in any order in which they are ready.
inline Seconds step_time(const Program& program, const CollectiveTime& collective_time) {
  std::vector<double> end(program.operations.size(), -1);
  const auto ready_at = [&](std::size_t i) {  // -1: not yet known
    double ready = 0;
    const Operation& operation = program.operations[i];
    for (const int p : operation.after) {
      if (end[static_cast<std::size_t>(p)] < 0) return -1.0;
      ready = std::max(ready, end[static_cast<std::size_t>(p)]);
    }
    for (std::size_t before = 0; before < i; ++before) {
      if (program.operations[before].stream != operation.stream) continue;
      if (end[before] < 0) return -1.0;
      ready = std::max(ready, end[before]);
    }
    return ready;
  };
  for (std::size_t round = 0; round < end.size(); ++round)
    for (std::size_t i = 0; i < end.size(); ++i) {
      const double ready = ready_at(i);
      if (end[i] >= 0 || ready < 0) continue;
      const Operation& operation = program.operations[i];
      const bool computes = operation.kind == Operation::Kind::Compute;
      end[i] = ready + in_seconds(computes ? operation.duration : collective_time(operation));
    }
  return seconds(end.empty() ? 0 : *std::max_element(end.begin(), end.end()));
}

inline Seconds compute_time(const Program& program) {
  Seconds sum;
  for (const Operation& operation : program.operations)
    if (operation.kind == Operation::Kind::Compute) sum += operation.duration;
  return sum;
}

inline std::vector<Operation> collectives_of(const Program& program, Group group) {
  std::vector<Operation> result;
  for (const Operation& operation : program.operations)
    if (operation.kind == Operation::Kind::Communicate && operation.group == group)
      result.push_back(operation);
  return result;
}

}  // namespace trainyard::testing
