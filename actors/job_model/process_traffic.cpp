#include "actors/job_model/process_traffic.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace trainyard {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

using Sequence = std::vector<const Operation*>;

// The collectives of each program, slot by slot.
std::vector<std::vector<Sequence>> sequences_of(const JobProgram& job) {
  std::vector<std::vector<Sequence>> result;
  for (const Program& program : job.programs) {
    result.emplace_back(job.slots.size());
    for (const Operation& operation : program.operations)
      if (operation.kind == Operation::Kind::Communicate)
        result.back()[at(static_cast<int>(operation.group))].push_back(&operation);
  }
  return result;
}

bool alike(const Operation& a, const Operation& b) {
  return a.collective == b.collective && a.size == b.size && a.algorithm == b.algorithm;
}

class TrafficMaker {
public:
  TrafficMaker(const JobProgram& job, const Allocation& allocation, ChannelMaker& channels)
      : job_(job), allocation_(allocation), channels_(channels), sequences_(sequences_of(job)) {
    find_members();
  }

  GroupTraffic of(int group) {
    std::vector<GpuId> gpus;
    for (const int rank : job_.groups[at(group)].ranks) gpus.push_back(allocation_.gpus[at(rank)]);
    GroupTraffic traffic;
    std::vector<const Operation*> kinds;
    for (const Operation* operation : agreed(group)) {
      const auto known = std::find_if(kinds.begin(), kinds.end(),
                                      [&](const Operation* k) { return alike(*k, *operation); });
      traffic.sequence.push_back(static_cast<int>(known - kinds.begin()));
      if (known != kinds.end()) continue;
      kinds.push_back(operation);
      Operation on_group = *operation;
      on_group.group = Group{job_.groups[at(group)].slot};
      traffic.distinct.push_back(channels_.make(on_group, group, {gpus}));
    }
    return traffic;
  }

private:
  // Through which slots each member takes part.
  struct Member {
    int rank, slot;
  };

  void find_members() {
    members_.resize(job_.groups.size());
    for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank)
      for (std::size_t slot = 0; slot < job_.slots.size(); ++slot)
        if (const int group = job_.ranks[rank].groups[slot]; group >= 0)
          members_[at(group)].push_back({static_cast<int>(rank), static_cast<int>(slot)});
  }

  // What the members list; the longest list where one has fewer.
  const Sequence& agreed(int group) const {
    static const Sequence kNone;
    const Sequence* longest = &kNone;
    int rank_of_longest = -1;
    for (const Member& member : members_[at(group)]) {
      const Sequence& own = sequences_[at(job_.ranks[at(member.rank)].program)][at(member.slot)];
      if (&own == longest) continue;
      for (std::size_t n = 0; n < std::min(own.size(), longest->size()); ++n)
        if (!alike(*own[n], *(*longest)[n]))
          throw disagreement(group, n, {rank_of_longest, (*longest)[n]}, {member.rank, own[n]});
      if (own.size() <= longest->size()) continue;
      longest = &own;
      rank_of_longest = member.rank;
    }
    return *longest;
  }

  struct Listed {
    int rank;
    const Operation* operation;
  };
  SimulationError disagreement(int group, std::size_t n, const Listed& a, const Listed& b) const {
    const auto told = [](const Listed& listed) {
      return "rank " + std::to_string(listed.rank) + " has '" + listed.operation->name + "' (" +
             to_string(listed.operation->collective) + " of " +
             std::to_string(listed.operation->size.count()) + " B)";
    };
    return SimulationError("collective " + std::to_string(n + 1) + " of " +
                           group_names(job_)[at(group)] + " does not match: " + told(a) + ", " +
                           told(b));
  }

  const JobProgram& job_;
  const Allocation& allocation_;
  ChannelMaker& channels_;
  std::vector<std::vector<Sequence>> sequences_;
  std::vector<std::vector<Member>> members_;
};

}  // namespace

std::vector<std::string> group_names(const JobProgram& job) {
  std::vector<int> of_slot(job.slots.size());
  std::vector<std::string> names;
  for (const ProcessGroup& group : job.groups)
    names.push_back(job.slots[at(group.slot)].name + "[" +
                    std::to_string(of_slot[at(group.slot)]++) + "]");
  return names;
}

std::vector<GroupTraffic> traffic_of(const JobProgram& job, const Allocation& allocation,
                                     ChannelMaker& channels) {
  TrafficMaker maker(job, allocation, channels);
  std::vector<GroupTraffic> traffic;
  for (std::size_t group = 0; group < job.groups.size(); ++group)
    traffic.push_back(maker.of(static_cast<int>(group)));
  return traffic;
}

}  // namespace trainyard
