// What every process group of a JobProgram does in one step, lowered onto the GPUs it was given:
// the collectives in the order in which its members list them, each distinct one once.
//
// INVARIANT: all members of a group list the same collectives as far as they list any; a member
// that lists fewer leaves the others waiting, which is a deadlock and not an error here.
#pragma once

#include "actors/channel_maker.hpp"
#include "actors/machine.hpp"
#include "workload/job.hpp"
#include "workload/steps/job_program.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct GroupTraffic {
  std::vector<int> sequence;      // the n-th collective: index into `distinct`
  std::vector<Channel> distinct;  // on this group alone
};

// By process group. Throws SimulationError where members list different collectives.
std::vector<GroupTraffic> traffic_of(const JobProgram& job, const Allocation& allocation,
                                     ChannelMaker& channels);

// By process group: "tp[3]", its slot and its number among those of the slot.
std::vector<std::string> group_names(const JobProgram& job);

}  // namespace trainyard
