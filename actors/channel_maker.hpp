// Makes the channels of one job: the algorithm that plays a collective on given GPUs, and the flows
// it becomes.
//
// INVARIANT: equal collectives on the same GPUs share one lowering, and collectives of one stream
// and communicator have one lane.
#pragma once

#include "actors/machine.hpp"
#include "actors/step_model.hpp"
#include "network/choice/algorithm_choice.hpp"

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace trainyard {

class ChannelMaker {
public:
  // `no_trees`: why the fabric's switches may not add up for this job; "" if they may.
  ChannelMaker(const Machine& machine, const std::string& no_trees);

  // `communicator`: its number among those of the operation's group. Several members: communicators
  // that are alike and play as one, named by the first of them.
  Channel make(const Operation& operation, int communicator,
               std::vector<std::vector<GpuId>> members);

  // Algorithms that were named but do not apply, and what is used instead.
  const std::vector<std::string>& notes() const { return notes_; }

private:
  std::shared_ptr<const std::vector<Bytes>> sizes_of(const Operation& operation, std::size_t ranks);
  Lowered lowered(const CollectiveSpec& spec);

  const Machine& machine_;
  AlgorithmChooser chooser_;
  // What a lowering depends on. Rings and sizes are told apart by identity: at worst equal ones are
  // lowered twice.
  using Key = std::tuple<const AlgorithmEntry*, std::int64_t, std::shared_ptr<const void>,
                         std::shared_ptr<const void>, std::vector<std::vector<GpuId>>>;
  std::map<Key, Lowered> lowered_;
  std::map<std::tuple<std::string, std::int64_t, double, std::size_t>,
           std::shared_ptr<const std::vector<Bytes>>>
      sizes_;                                         // of uneven all-to-alls
  std::map<std::tuple<int, Group, int>, int> lanes_;  // by stream, group and communicator
  std::vector<std::string> notes_;
};

}  // namespace trainyard
