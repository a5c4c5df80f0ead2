// What the placements share: how many blocks each node gives is the choice; the rest is the same.
//
// A placement chooses a number of blocks per node; the GPUs are then taken node by node in
// ascending order, lowest free GPU first, so that ranks of one block share a node and neighbouring
// ranks are near each other.
#pragma once

#include "schedulers/policy.hpp"

#include <vector>

namespace trainyard {

struct Request {
  int blocks;
  int per_block;
};

struct Share {
  NodeId node;
  int blocks;
};

class BlockPlacement : public Placement {
public:
  Allocation place(const Job& job, const Room& room) const final;

private:
  // Shares that sum to request.blocks; called only if that many are there. A node may come twice.
  virtual std::vector<Share> choose(const Request& request, const Platform& platform,
                                    const std::vector<int>& free_per_node) const = 0;
};

}  // namespace trainyard
