// Makes the channels of one job: which algorithm plays a collective on given GPUs, and the flows it
// becomes.
//
// INVARIANT: equal collectives on the same GPUs share one lowering, and collectives of one stream
// and communicator have one lane.
#pragma once

#include "actors/machine.hpp"
#include "actors/step_model.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace trainyard {

class ChannelMaker {
public:
  explicit ChannelMaker(const Machine& machine) : machine_(machine) {}

  // `communicator`: its number among those of the operation's group. Several members: communicators
  // that are alike and play as one, named by the first of them.
  Channel make(const Operation& operation, int communicator,
               std::vector<std::vector<GpuId>> members);

  // Algorithms that were named but do not apply, and what is used instead.
  const std::vector<std::string>& notes() const { return notes_; }

private:
  const AlgorithmEntry* choose(const Operation& operation, const Collective& collective);

  const Machine& machine_;
  using Key = std::tuple<const AlgorithmEntry*, std::int64_t, std::vector<std::vector<GpuId>>>;
  std::map<Key, Lowered> lowered_;
  std::map<std::tuple<int, Group, int>, int> lanes_;  // by stream, group and communicator
  std::vector<std::string> notes_;
};

}  // namespace trainyard
