#include "actors/tree_grants.hpp"

#include "network/switch_trees.hpp"

#include <set>

namespace trainyard {

namespace {

// Of every communicator that the fabric's switches add up for, its trees, each by its switches.
std::vector<std::vector<SwitchId>> trees_needed(const StepModel& model, const Machine& machine) {
  const SwitchTrees trees(*machine.platform, *machine.routing);
  std::set<std::vector<GpuId>> communicators;
  std::vector<std::vector<SwitchId>> needed;
  for (const Channel& channel : model.channels) {
    if (channel.spec->algorithm->offload != Offload::Fabric) continue;
    const std::vector<Phase> phases = channel.spec->algorithm->phases(channel.spec->collective);
    for (const std::vector<GpuId>& gpus : channel.spec->members) {
      if (!communicators.insert(gpus).second) continue;
      for (const Phase& phase : phases)
        if (const auto* in_switch = std::get_if<InSwitch>(&phase.pattern))
          for (auto& tree : trees.switches(*in_switch, gpus)) needed.push_back(std::move(tree));
    }
  }
  return needed;
}

}  // namespace

TreeGrants::TreeGrants(const Machine& machine)
    : machine_(machine), trees_(machine.platform->hardware.sharp_trees) {}

bool TreeGrants::take(JobId job, const StepModel& model) {
  for (const std::vector<SwitchId>& tree : trees_needed(model, machine_)) {
    const std::optional<SwitchId> full = trees_.take(job, tree);
    if (!full) continue;
    trees_.give_back(job);
    refused_[job] =
        machine_.platform->switches[full->index()].name + " has no aggregation tree left";
    return false;
  }
  return true;
}

void TreeGrants::give_back(JobId job) {
  trees_.give_back(job);
  refused_.erase(job);
}

const std::string& TreeGrants::why_none(JobId job) const {
  static const std::string nothing;
  const auto refused = refused_.find(job);
  return refused == refused_.end() ? nothing : refused->second;
}

}  // namespace trainyard
