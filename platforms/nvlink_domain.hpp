// Nodes, their GPUs and their NICs; inside a node every GPU hangs on one NVSwitch by a pair of
// links.
//
// The switch chips of a node are one non-blocking switch here: only a GPU's own pair of links can
// be full. With a single GPU a node has no NVLink at all. Alone, as the topology "nvlink_domain",
// it is one node without NICs.
#pragma once

#include "platforms/platform.hpp"
#include "platforms/properties.hpp"

#include <cstdint>
#include <vector>

namespace trainyard {

struct NodeSpec {
  int nodes = 1;
  int gpus_per_node = 1;
  int nics_per_node = 0;  // divides gpus_per_node: each NIC serves neighbouring GPUs
  Bandwidth nvlink;       // one direction of one GPU
  Seconds nvlink_latency;
  Bandwidth nic;
  Seconds nic_latency;  // paid at either end

  std::int64_t nics() const { return static_cast<std::int64_t>(nodes) * nics_per_node; }
};

// nodes, gpus_per_node, nics_per_node, nvlink_* and nic_*.
NodeSpec read_node_spec(Properties& properties);

// Nodes with their GPUs, NVLink pairs and NICs. NIC i sits at positions[i]; its links lead to a
// leaf that is yet to come. Leaving a leaf takes `leaf_latency`.
void add_nodes(Platform& platform, const NodeSpec& spec, const std::vector<std::int32_t>& positions,
               Seconds leaf_latency);

// Topology "nvlink_domain".
Platform build_nvlink_domain(Properties& properties);

}  // namespace trainyard
