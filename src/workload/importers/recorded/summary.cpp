#include "workload/importers/recorded/summary.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

// How much of the time from the first start to the last end nothing ran.
void find_idle(std::vector<std::pair<Seconds, Seconds>> busy, RankSummary& result) {
  if (busy.empty()) return;
  std::sort(busy.begin(), busy.end());
  Seconds end = busy.front().first;
  for (const auto& [from, to] : busy) {
    if (from > end) result.idle += from - end;
    end = std::max(end, to);
  }
  result.span = end - busy.front().first;
}

using Totals = std::map<CollectiveKind, std::pair<std::int64_t, Bytes>>;

void add_totals(const Program& program, int slot, Totals& totals) {
  for (const Operation& o : program.operations) {
    if (o.kind != Operation::Kind::Communicate || static_cast<int>(o.group) != slot) continue;
    ++totals[o.collective].first;
    totals[o.collective].second += o.size;
  }
}

}  // namespace

RankSummary summary_of(const RecordedRank& rank) {
  RankSummary result;
  std::vector<std::pair<Seconds, Seconds>> busy;
  for (const RecordedOperation& recorded : rank.operations) {
    const Operation& o = recorded.operation;
    if (recorded.duration > seconds(0))
      busy.emplace_back(recorded.start, recorded.start + recorded.duration);
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
  find_idle(std::move(busy), result);
  return result;
}

std::vector<Traffic> traffic_of(const JobProgram& job) {
  std::vector<Traffic> result;
  Totals transfers;
  std::size_t pairs = 0;
  std::vector<int> first(job.slots.size(), -1);  // by slot: its first group
  std::vector<std::size_t> groups(job.slots.size(), 0);
  for (std::size_t g = 0; g < job.groups.size(); ++g) {
    const auto slot = static_cast<std::size_t>(job.groups[g].slot);
    if (groups[slot]++ == 0) first[slot] = static_cast<int>(g);
  }
  std::vector<Totals> of_slot(job.slots.size());
  for (std::size_t s = 0; s < job.slots.size(); ++s) {
    if (first[s] < 0) continue;
    // A rank without a file does nothing: the first that does something speaks for the group.
    for (const int rank : job.groups[static_cast<std::size_t>(first[s])].ranks) {
      if (static_cast<std::size_t>(rank) >= job.ranks.size() || !of_slot[s].empty()) continue;
      const auto program =
          static_cast<std::size_t>(job.ranks[static_cast<std::size_t>(rank)].program);
      add_totals(job.programs[program], static_cast<int>(s), of_slot[s]);
    }
  }
  for (const ProcessGroup& group : job.groups) {
    const auto slot = static_cast<std::size_t>(group.slot);
    if (of_slot[slot].count(CollectiveKind::SendRecv) == 0) continue;
    ++pairs;
    const auto sender = static_cast<std::size_t>(group.ranks.front());
    add_totals(job.programs[static_cast<std::size_t>(job.ranks[sender].program)], group.slot,
               transfers);
  }
  for (std::size_t s = 0; s < job.slots.size(); ++s)
    for (const auto& [kind, total] : of_slot[s])
      if (kind != CollectiveKind::SendRecv)
        result.push_back({job.slots[s].name, groups[s],
                          job.groups[static_cast<std::size_t>(first[s])].ranks.size(), kind,
                          total.first, total.second});
  for (const auto& [kind, total] : transfers)
    result.push_back({"(pairs)", pairs, 2, kind, total.first, total.second});
  return result;
}

}  // namespace trainyard
