// Aggregation trees are a scarce resource of the switches: each can be part of a few at a time. Who
// comes first has them, until it gives them back; who gets none falls back to another algorithm.
#pragma once

#include "base/ids.hpp"

#include <map>
#include <optional>
#include <vector>

namespace trainyard {

class SharpTrees {
public:
  // 0 where the fabric has none: RoCE, EFA.
  explicit SharpTrees(int trees_per_switch) : per_switch_(trees_per_switch) {}

  // A tree through these switches; otherwise nothing is taken, and the switch that has none left is
  // returned.
  std::optional<SwitchId> take(JobId job, const std::vector<SwitchId>& switches);
  void give_back(JobId job);  // all that the job has

private:
  int per_switch_;
  std::map<SwitchId, int> used_;
  std::map<JobId, std::vector<SwitchId>> held_;
};

}  // namespace trainyard
