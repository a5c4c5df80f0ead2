#include "actors/channel_maker.hpp"

#include "collectives/skew.hpp"

#include <algorithm>
#include <utility>

namespace trainyard {

namespace {

AlgorithmRules rules_of(const Machine& machine, const std::string& no_trees) {
  AlgorithmRules rules = machine.algorithms;
  if (rules.no_trees.empty()) rules.no_trees = no_trees;
  return rules;
}

}  // namespace

ChannelMaker::ChannelMaker(const Machine& machine, const std::string& no_trees)
    : machine_(machine),
      chooser_(*machine.platform, machine.calibration, rules_of(machine, no_trees)) {}

Channel ChannelMaker::make(const Operation& operation, int communicator,
                           std::vector<std::vector<GpuId>> members) {
  Channel channel;
  CollectiveSpec spec;
  const std::vector<GpuId>& gpus = members.front();
  Collective& collective = spec.collective;
  collective = chooser_.on(gpus, operation.collective, operation.size);
  if (operation.skew > 1) collective.pair_sizes = sizes_of(operation, gpus.size());
  const ChosenAlgorithm chosen = chooser_.choose(collective, gpus, operation.algorithm);
  spec.algorithm = chosen.choice.algorithm;
  channel.chosen_by = chosen.by;
  const std::string& note = chosen.note;
  if (!note.empty() && std::find(notes_.begin(), notes_.end(), note) == notes_.end())
    notes_.push_back(note);
  spec.calibration = machine_.calibration;
  for (const auto& group : members) channel.tickets += static_cast<int>(group.size());
  spec.members = std::move(members);
  channel.groups = lowered(spec);
  channel.spec = std::make_shared<const CollectiveSpec>(std::move(spec));
  const auto next_lane = static_cast<int>(lanes_.size());
  channel.lane = lanes_.try_emplace({operation.stream, operation.group, communicator}, next_lane)
                     .first->second;
  return channel;
}

// The same for every group of as many ranks, in this job and in any other.
std::shared_ptr<const std::vector<Bytes>> ChannelMaker::sizes_of(const Operation& operation,
                                                                 std::size_t ranks) {
  auto& known = sizes_[{operation.name, operation.size.count(), operation.skew, ranks}];
  if (!known)
    known = std::make_shared<const std::vector<Bytes>>(
        skewed_sizes(static_cast<int>(ranks), operation.size, operation.skew,
                     RandomSource(0).stream("skew of " + operation.name)));
  return known;
}

Lowered ChannelMaker::lowered(const CollectiveSpec& spec) {
  const Collective& collective = spec.collective;
  Lowered& known = lowered_[{spec.algorithm, collective.size.count(), collective.rings,
                             collective.pair_sizes, spec.members}];
  if (known.empty()) known = lower(spec, *machine_.platform, *machine_.routing);
  return known;
}

}  // namespace trainyard
