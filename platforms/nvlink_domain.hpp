// Nodes, their GPUs and their NICs, and NVLink between the GPUs.
//
// By default every GPU hangs on the NVSwitch of its domain by a pair of links. A domain's switch
// chips are one non-blocking switch here: only a GPU's own pair of links can be full. A domain is a
// node (HGX) or several whole nodes (the trays of an NVL72 rack). Without a switch, each two GPUs
// of a node are joined directly, and a GPU's bandwidth is divided evenly among its peers. With a
// single GPU in a domain there is no NVLink at all. Alone, as the topology "nvlink_domain", it is
// one domain without NICs.
#pragma once

#include "platforms/pcie.hpp"
#include "platforms/platform.hpp"
#include "platforms/properties.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace trainyard {

enum class NvlinkLayout { Switch, AllToAll };

struct NodeSpec {
  int nodes = 1;
  int gpus_per_node = 1;
  int nics_per_node = 0;    // divides gpus_per_node: each NIC serves neighbouring GPUs
  int gpus_per_domain = 1;  // a multiple of gpus_per_node, or the same
  NvlinkLayout layout = NvlinkLayout::Switch;
  Bandwidth nvlink;  // one direction of one GPU, all its cables
  Seconds nvlink_latency;
  std::optional<PcieSpec> pcie;  // without: a NIC is beside its GPUs
  int gpus_per_pcie_switch = 1;
  Bandwidth nic;
  Seconds nic_latency;  // paid at either end

  std::int64_t nics() const { return static_cast<std::int64_t>(nodes) * nics_per_node; }
};

// nodes, gpus_per_node, gpus_per_domain, nics_per_node, nvlink_*, pcie_* and nic_*.
NodeSpec read_node_spec(Properties& properties);
// The same of a single domain without NICs; `nodes` is 1 unless given.
NodeSpec read_domain_spec(Properties& properties);

// Nodes with their GPUs, NVLink pairs and NICs. NIC i sits at positions[i]; its links lead to a
// leaf that is yet to come. Leaving a leaf takes `leaf_latency`.
void add_nodes(Platform& platform, const NodeSpec& spec, const std::vector<std::int32_t>& positions,
               Seconds leaf_latency);

// Topology "nvlink_domain".
Platform build_nvlink_domain(Properties& properties);

}  // namespace trainyard
