#include "actors/job_model/constant_durations.hpp"

#include "network/analytic_network.hpp"

#include <algorithm>

namespace trainyard {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool of_one_class(const FoldedGroups& groups, int group) {
  const std::vector<int>& ranks = groups.job.groups[at(group)].ranks;
  const std::vector<int>& class_of_rank = groups.folding.class_of_rank;
  return std::all_of(ranks.begin(), ranks.end(), [&](int rank) {
    return class_of_rank[at(rank)] == class_of_rank[at(ranks.front())];
  });
}

bool undisturbed(const Channel& channel, const std::vector<bool>& may_be_filled) {
  for (const auto& group : channel.groups)
    for (const Demand& demand : group->demands)
      if (may_be_filled[demand.link.index()]) return false;
  return true;
}

}  // namespace

ConstantDurations constant_durations(const FoldedGroups& groups, const Machine& machine,
                                     NetworkModel network) {
  const auto alone = [&](const Lowered& lowered) {
    return network == NetworkModel::Analytic ? analytic_duration(lowered, *machine.platform)
                                             : alone_duration(lowered, machine.capacities);
  };
  ConstantDurations durations;
  for (std::size_t group = 0; group < groups.traffic.size(); ++group) {
    if (at(groups.folding.class_of_group[group]) < durations.size()) continue;  // like one before
    const GroupTraffic& traffic = groups.traffic[group];
    durations.emplace_back(traffic.distinct.size());
    if (!of_one_class(groups, static_cast<int>(group))) continue;
    for (std::size_t d = 0; d < traffic.distinct.size(); ++d)
      if (undisturbed(traffic.distinct[d], groups.folding.may_be_filled))
        durations.back()[d] = in_seconds(alone(traffic.distinct[d].groups));
  }
  return durations;
}

}  // namespace trainyard
