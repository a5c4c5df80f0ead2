// A site: one kind of node and a fabric, each from its file, joined to the common description of
// irregular platforms.
//
// What the files leave open the user says (SiteOptions), and an option that contradicts a file is
// an error; nothing is guessed but latencies, whose defaults are noted as assumed. NIC i of the
// node is the i-th adapter of a host.
#pragma once

#include "base/quantity.hpp"
#include "platforms/graph_spec.hpp"
#include "platforms/importers/nccl_topology.hpp"
#include "platforms/site/fabric.hpp"

#include <optional>
#include <string>
#include <vector>

namespace trainyard {

// A zero, an empty text: not given.
struct SiteOptions {
  int gpus_per_node = 0;
  int nics_per_node = 0;
  std::string gpu;   // one of gpu_models()
  Bandwidth nvlink;  // one direction of one GPU
  Bandwidth nic;
  Bandwidth link;       // of every cable, where the fabric's file does not say
  int uplinks = 0;      // cables between a switch and each one above it, likewise
  std::string hosts;    // a hostlist: these only
  std::string network;  // "infiniband", "roce" ...
  Seconds switch_latency = nanoseconds(130);
  Seconds nic_latency = nanoseconds(500);
  Seconds nvlink_latency = nanoseconds(500);
  Seconds pcie_latency = nanoseconds(250);
};

struct Site {
  GraphSpec spec;
  Hardware hardware;
  std::vector<std::string> notes;  // what was ignored or assumed
};

// What stands in a node; bandwidths of NICs are zero where nobody said.
struct SiteNode {
  GraphSpec::NodeKind kind;
  Hardware hardware;
  std::vector<std::string> notes;
};

SiteNode node_of(const NcclNode& node, const SiteOptions& options);
SiteNode node_of(const SiteOptions& options);  // without a file: --gpus-per-node and its like

// Without a fabric: one node, whose NICs lead nowhere.
Site join_site(const std::optional<NcclNode>& node, const std::optional<Fabric>& fabric,
               const SiteOptions& options);

// A name as platforms have them: what is not a letter, a digit, '.', '_' or '-' becomes '_'.
std::string platform_name(const std::string& name);

}  // namespace trainyard
