#include "schedulers/slurm/controller/gang.hpp"

#include <algorithm>
#include <numeric>

namespace trainyard::slurm {

// The cores of jobs that run in partitions of higher tiers.
ClusterUse Gang::shadows_on(const SlurmState& state, int partition) const {
  ClusterUse use(state.site.node_count());
  for (std::size_t p = 0; p < lists_.size(); ++p) {
    if (state.site.partitions[p].tier <= state.partition(partition).tier) continue;
    for (const Member& member : lists_[p])
      if (!member.suspended) use.add_cores(state.job(member.job).allocation);
  }
  return use;
}

bool Gang::fits(const SlurmState& state, const ClusterUse& use, const JobRecord& record) {
  return std::all_of(record.allocation.shares.begin(), record.allocation.shares.end(),
                     [&](const NodeShare& share) {
                       const SlurmNode& node =
                           state.site.nodes[static_cast<std::size_t>(share.node)];
                       for (std::size_t s = 0; s < kMostSockets; ++s)
                         if (share.cores[s] > 0 &&
                             use[share.node].cores[s] + share.cores[s] > node.cores_per_socket)
                           return false;
                       return true;
                     });
}

void Gang::suspend(SlurmState& state, Member& member, Decisions& decisions) {
  if (member.suspended) return;
  member.suspended = true;
  state.job(member.job).state = JobState::Suspended;
  state.job(member.job).suspended_at = state.now;
  decisions.push_back({DecisionKind::Suspend, member.job});
  state.changed();
}

void Gang::resume(SlurmState& state, Member& member, Decisions& decisions) {
  if (!member.suspended) return;
  member.suspended = false;
  JobRecord& record = state.job(member.job);
  record.state = JobState::Running;
  record.end += state.now - record.suspended_at;  // its limit is of the time it runs
  decisions.push_back({DecisionKind::Resume, member.job});
  state.changed();
}

// Who is active stays so if the shadows leave room, then fillers, then whoever waits.
void Gang::rebuild(SlurmState& state, int partition, Decisions& decisions) {
  auto& list = lists_[static_cast<std::size_t>(partition)];
  ClusterUse use = shadows_on(state, partition);
  for (const Row row : {Row::Active, Row::Filler, Row::Waiting}) {
    std::vector<Member*> members;
    for (Member& member : list)
      if (member.row == row) members.push_back(&member);
    for (Member* member : members) {
      const JobRecord& record = state.job(member->job);
      if (fits(state, use, record)) {
        use.add_cores(record.allocation);
        if (row == Row::Waiting) member->row = Row::Filler;
        resume(state, *member, decisions);
      } else {
        suspend(state, *member, decisions);
        member->row = Row::Waiting;
      }
    }
  }
}

void Gang::rebuild_all(SlurmState& state, Decisions& decisions) {
  std::vector<int> order(lists_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return state.partition(a).tier > state.partition(b).tier; });
  for (const int partition : order) rebuild(state, partition, decisions);
}

void Gang::started(SlurmState& state, JobRecord& record, Decisions& decisions) {
  if (!state.site.parameters.gang) return;
  lists_[static_cast<std::size_t>(record.partition)].push_back({record.index});
  rebuild_all(state, decisions);
}

void Gang::ended(SlurmState& state, const JobRecord& record, Decisions& decisions) {
  if (!state.site.parameters.gang) return;
  auto& list = lists_[static_cast<std::size_t>(record.partition)];
  list.erase(std::remove_if(list.begin(), list.end(),
                            [&](const Member& each) { return each.job == record.index; }),
             list.end());
  rebuild_all(state, decisions);
}

// Those that were active go to the back; the front of the list becomes active.
void Gang::slice(SlurmState& state, Decisions& decisions) {
  for (std::size_t p = 0; p < lists_.size(); ++p) {
    auto& list = lists_[p];
    const bool all_run =
        std::none_of(list.begin(), list.end(), [](const Member& each) { return each.suspended; });
    if (all_run) continue;
    std::stable_partition(list.begin(), list.end(),
                          [](const Member& each) { return each.row != Row::Active; });
    ClusterUse use = shadows_on(state, static_cast<int>(p));
    for (Member& member : list) {
      const JobRecord& record = state.job(member.job);
      member.row = fits(state, use, record) ? Row::Active : Row::Waiting;
      if (member.row == Row::Active) use.add_cores(record.allocation);
    }
    for (Member& member : list)
      if (member.row == Row::Waiting) suspend(state, member, decisions);
    for (Member& member : list)
      if (member.row == Row::Active) resume(state, member, decisions);
  }
}

}  // namespace trainyard::slurm
