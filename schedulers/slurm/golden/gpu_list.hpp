// GPUs by node as text: "n01:4-7;n[02-03]:0".
#pragma once

#include "schedulers/slurm/select/cluster_use.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace trainyard::slurm {

// Node index -> a bit per GPU. Throws std::invalid_argument for what is no such list.
std::map<int, std::uint64_t> parse_gpu_list(const std::string& text, const SlurmSite& site);

std::map<int, std::uint64_t> gpus_by_node(const Allocation& allocation);

// "n01:4-7 n02:0,2"
std::string gpu_text(const std::map<int, std::uint64_t>& gpus, const SlurmSite& site);

// "n01,n02,n04"
std::string node_text(const NodeSet& nodes, const SlurmSite& site);

}  // namespace trainyard::slurm
