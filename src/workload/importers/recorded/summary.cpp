#include "workload/importers/recorded/summary.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

RankSummary summary_of(const RecordedRank& rank) {
  RankSummary result;
  Seconds first = forever(), last;
  for (const RecordedOperation& recorded : rank.operations) {
    const Operation& o = recorded.operation;
    if (recorded.duration > seconds(0)) {
      first = std::min(first, recorded.start);
      last = std::max(last, recorded.start + recorded.duration);
    }
    if (o.kind == Operation::Kind::Communicate) {
      ++result.communications;
      result.communication += recorded.duration;
    } else if (o.purpose == Operation::Purpose::LaunchGap) {
      result.launch_gaps += o.duration;
    } else {
      ++result.computations;
      result.compute += o.duration;
    }
  }
  if (last > first) result.span = last - first;
  return result;
}

std::vector<Traffic> traffic_of(const RecordedStep& step) {
  std::map<std::pair<std::size_t, CollectiveKind>, Traffic> by_group;
  const std::size_t transfers = step.groups.size();  // all pairs together, after the groups
  std::map<std::size_t, std::size_t> spoken_for;     // by group: the first rank that lists any
  for (std::size_t r = 0; r < step.ranks.size(); ++r)
    for (const RecordedOperation& recorded : step.ranks[r].operations) {
      const Operation& o = recorded.operation;
      if (o.kind != Operation::Kind::Communicate) continue;
      const auto g = static_cast<std::size_t>(o.group);
      const RecordedGroup& group = step.groups[g];
      const bool first = group.transfer ? static_cast<std::size_t>(group.ranks[0]) == r
                                        : spoken_for.insert({g, r}).first->second == r;
      if (!first) continue;
      Traffic& traffic = by_group[{group.transfer ? transfers : g, o.collective}];
      traffic.group = group.transfer ? "(pairs)" : group.name;
      traffic.ranks = group.ranks.size();
      traffic.kind = o.collective;
      ++traffic.count;
      traffic.bytes += o.size;
    }
  std::vector<Traffic> result;
  for (auto& [key, traffic] : by_group) result.push_back(std::move(traffic));
  return result;
}

}  // namespace trainyard
