// Slurm's topology.conf: a tree of switches, or blocks of nodes.
//
//   SwitchName=leaf0 Nodes=n[001-018]        BlockName=b1 Nodes=n[01-04]
//   SwitchName=top Switches=leaf[0-3]        BlockSizes=4,8,16
// Keys in any case, '#' begins a comment, a backslash at the end of a line continues it. The file
// groups nodes; it says nothing of cables or speeds: LinkSpeed is arbitrary to Slurm and is noted
// as ignored. A switch may have several parents.
//
// Holds: names are unique, every child is a switch of the file, no switch stands below itself, a
// switch has either nodes or switches, a node stands under one leaf or block.
#pragma once

#include "base/error.hpp"
#include "platforms/site/fabric.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct SlurmSwitch {
  std::string name;
  std::vector<std::string> nodes;     // of a leaf, in the order of the file
  std::vector<std::size_t> children;  // indices of switches
  int level = 1;                      // leaves are 1, others one more than their highest child
  Place place;
};

struct SlurmBlock {
  std::string name;
  std::vector<std::string> nodes;
  Place place;
};

struct SlurmTopology {
  std::vector<SlurmSwitch> switches;  // either these
  std::vector<SlurmBlock> blocks;     // or these
  std::vector<int> block_sizes;
  std::vector<std::string> notes;  // what was ignored
};

SlurmTopology parse_slurm_topology(const std::string& file, const std::string& text);

// A switch for each switch, or one for each block and "top" above them all.
Fabric to_fabric(const SlurmTopology& topology);

}  // namespace trainyard
