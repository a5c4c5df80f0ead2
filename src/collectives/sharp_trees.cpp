#include "collectives/sharp_trees.hpp"

namespace trainyard {

std::optional<SwitchId> SharpTrees::take(JobId job, const std::vector<SwitchId>& switches) {
  for (const SwitchId id : switches)
    if (used_[id] >= per_switch_) return id;
  std::vector<SwitchId>& held = held_[job];
  for (const SwitchId id : switches) {
    ++used_[id];
    held.push_back(id);
  }
  return std::nullopt;
}

void SharpTrees::give_back(JobId job) {
  for (const SwitchId id : held_[job]) --used_[id];
  held_.erase(job);
}

}  // namespace trainyard
