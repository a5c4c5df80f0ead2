#include "schedulers/slurm/golden/gpu_list.hpp"

#include "base/hostlist.hpp"
#include "base/text.hpp"

#include <stdexcept>

namespace trainyard::slurm {

namespace {

std::uint64_t gpus_of(const std::string& text) {
  const Hostlist list = expand_hostlist("[" + text + "]");
  if (!list.problem.empty()) throw std::invalid_argument("GPUs '" + text + "'");
  std::uint64_t gpus = 0;
  for (const std::string& name : list.names) gpus |= std::uint64_t{1} << *parse_integer(name);
  return gpus;
}

}  // namespace

std::map<int, std::uint64_t> parse_gpu_list(const std::string& text, const SlurmSite& site) {
  std::map<int, std::uint64_t> gpus;
  for (const std::string& part : split(text, ';')) {
    if (part.empty()) continue;
    const std::size_t colon = part.rfind(':');
    const Hostlist nodes = expand_hostlist(part.substr(0, colon));
    if (colon == std::string::npos || !nodes.problem.empty())
      throw std::invalid_argument("GPU list '" + part + "'");
    for (const std::string& name : nodes.names)
      gpus[site.node_index(name)] = gpus_of(part.substr(colon + 1));
  }
  return gpus;
}

std::map<int, std::uint64_t> gpus_by_node(const Allocation& allocation) {
  std::map<int, std::uint64_t> gpus;
  for (const NodeShare& share : allocation.shares)
    if (share.gpus) gpus[share.node] = share.gpus;
  return gpus;
}

std::string gpu_text(const std::map<int, std::uint64_t>& gpus, const SlurmSite& site) {
  std::vector<std::string> nodes;
  for (const auto& [node, bits] : gpus) {
    std::vector<std::string> indices;
    for (int gpu = 0; gpu < 64; ++gpu)
      if (bits >> gpu & 1) indices.push_back(std::to_string(gpu));
    nodes.push_back(site.nodes[static_cast<std::size_t>(node)].name + ":" + join(indices, ","));
  }
  return join(nodes, " ");
}

std::string node_text(const NodeSet& nodes, const SlurmSite& site) {
  std::vector<std::string> names;
  nodes.each([&](int node) { names.push_back(site.nodes[static_cast<std::size_t>(node)].name); });
  return join(names, ",");
}

}  // namespace trainyard::slurm
