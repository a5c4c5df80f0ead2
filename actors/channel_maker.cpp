#include "actors/channel_maker.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace trainyard {

Channel ChannelMaker::make(const Operation& operation, int communicator,
                           std::vector<std::vector<GpuId>> members) {
  Channel channel;
  Collective& collective = channel.spec.collective;
  collective.kind = operation.collective;
  collective.ranks = static_cast<int>(members.front().size());
  collective.size = operation.size;
  collective.ranks_per_node = ranks_per_node(members.front(), *machine_.platform);
  if (machine_.calibration) collective.rings = channels_of(collective);
  channel.spec.algorithm = choose(operation, collective);
  channel.spec.calibration = machine_.calibration;
  for (const auto& gpus : members) channel.tickets += static_cast<int>(gpus.size());
  channel.spec.members = std::move(members);
  Lowered& known =
      lowered_[{channel.spec.algorithm, collective.size.count(), channel.spec.members}];
  if (known.empty()) known = lower(channel.spec, *machine_.platform, *machine_.routing);
  channel.groups = known;
  const auto next_lane = static_cast<int>(lanes_.size());
  channel.lane = lanes_.try_emplace({operation.stream, operation.group, communicator}, next_lane)
                     .first->second;
  return channel;
}

const AlgorithmEntry* ChannelMaker::choose(const Operation& operation,
                                           const Collective& collective) {
  const AlgorithmEntry* named = find_algorithm(operation.collective, operation.algorithm);
  if (named && named->applies(collective)) return named;
  const AlgorithmEntry* chosen = &default_algorithm(collective, machine_.calibration);
  if (named) {
    const std::string note = std::string(named->name) + " does not apply to " +
                             std::to_string(collective.ranks) + " ranks, " +
                             std::to_string(collective.ranks_per_node) +
                             " a node in order: " + chosen->name + " is used instead";
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
  }
  return chosen;
}

int ranks_per_node(const std::vector<GpuId>& gpus, const Platform& platform) {
  std::set<NodeId> seen;
  int length = 0, current = 0;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const NodeId node = platform.gpus[gpus[i].index()].node;
    ++current;
    const bool last = i + 1 == gpus.size() || platform.gpus[gpus[i + 1].index()].node != node;
    if (!last) continue;
    if (!seen.insert(node).second || (length != 0 && current != length)) return 1;
    length = current;
    current = 0;
  }
  return std::max(1, length);
}

}  // namespace trainyard
