// Trees of switches that add up and copy (NVLS, SHARP): the links that the ports of an InSwitch
// pattern load.
//
// Inside an NVLink domain the tree is its NVSwitch: each GPU's NVLink up and down. Beyond it is the
// union of the static paths to one member's switch, which is a tree because static paths depend on
// the destination alone; each of its links carries the data once, up and down. Which switch is
// called the root makes no difference then, as long as as much goes up as comes down.
#pragma once

#include "collectives/collective.hpp"
#include "network/routing.hpp"

#include <memory>
#include <vector>

namespace trainyard {

struct TreeLoad {
  LinkId link;
  Bytes bytes;
};

class SwitchTrees {
public:
  SwitchTrees(const Platform& platform, const Routing& routing)
      : platform_(platform), routing_(routing) {}

  std::vector<TreeLoad> loads(const InSwitch& in_switch, const std::vector<GpuId>& gpus) const;
  // The fabric's switches that each tree takes, ascending; a tree inside a domain takes none.
  std::vector<std::vector<SwitchId>> switches(const InSwitch& in_switch,
                                              const std::vector<GpuId>& gpus) const;
  // In and out of the slowest tree.
  Seconds latency(const InSwitch& in_switch, const std::vector<GpuId>& gpus) const;

private:
  bool in_a_domain(const std::vector<const SwitchPort*>& ports,
                   const std::vector<GpuId>& gpus) const;

  const Platform& platform_;
  const Routing& routing_;
};

}  // namespace trainyard
