#include "base/text.hpp"
#include "platforms/graph_spec.hpp"

#include <algorithm>
#include <set>

namespace trainyard {

namespace {

using Kind = GraphSpec::NodeKind;
using Names = std::set<std::string>;

// What the parts found wrong so far: only the first counts.
class Findings {
public:
  explicit Findings(std::optional<GraphProblem>& first) : first_(first) {}
  void require(bool sound, const std::string& property, const std::string& problem) {
    if (!sound && !first_) first_ = GraphProblem{property, problem};
  }

private:
  std::optional<GraphProblem>& first_;
};

bool is_name(const std::string& name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  return !name.empty() && name != "x" && std::all_of(name.begin(), name.end(), allowed);
}

void check_name(const std::string& property, const std::string& name, Names& taken,
                Findings& findings) {
  findings.require(is_name(name), property,
                   "'" + name + "' is no name: letters, digits, '.', '_' and '-' make one");
  findings.require(taken.insert(name).second, property, "'" + name + "' is there twice");
}

void check_indices(const std::string& property, const std::vector<int>& indices, int count,
                   const char* what, Findings& findings) {
  for (const int index : indices)
    findings.require(
        index >= 0 && index < count, property,
        std::string(what) + " " + std::to_string(index) + " of " + std::to_string(count));
}

bool by_nvlink(const Kind& kind, int a, int b) {
  if (kind.nvswitch) return true;
  const auto joined = [&](int one, int other) {
    return std::any_of(kind.nvlink.begin(), kind.nvlink.end(), [&](const auto& pair) {
      return (pair.a == one && pair.b == other) || (pair.a == other && pair.b == one);
    });
  };
  if (joined(a, b)) return true;
  for (int between = 0; between < kind.gpus; ++between)
    if (joined(a, between) && joined(between, b)) return true;
  return false;
}

void check_nvlink(const std::string& prefix, const Kind& kind, Findings& findings) {
  std::set<std::pair<int, int>> pairs;
  findings.require(!kind.nvswitch || kind.nvlink.empty(), prefix + "nvlink",
                   "contradicts 'nvswitch': GPUs on a switch are not joined in pairs");
  for (const GraphSpec::NvlinkPair& pair : kind.nvlink) {
    check_indices(prefix + "nvlink", {pair.a, pair.b}, kind.gpus, "names GPU", findings);
    const std::string ends = std::to_string(pair.a) + "-" + std::to_string(pair.b);
    findings.require(pair.a != pair.b, prefix + "nvlink", ends + " joins a GPU to itself");
    findings.require(pairs.insert(std::minmax(pair.a, pair.b)).second, prefix + "nvlink",
                     ends + " is there twice: give the bandwidth of all its cables together");
    findings.require(pair.bandwidth > Bandwidth(), prefix + "nvlink", ends + " has no bandwidth");
  }
  if (!kind.pcie.empty()) return;
  for (int a = 0; a < kind.gpus; ++a)
    for (int b = a + 1; b < kind.gpus; ++b)
      findings.require(by_nvlink(kind, a, b), prefix + "nvlink",
                       "GPUs " + std::to_string(a) + " and " + std::to_string(b) +
                           " have no path: no NVLink, not even through one GPU between, and no "
                           "PCIe");
}

// Where PCIe is described, every GPU and NIC hangs below one switch.
void check_pcie(const std::string& prefix, const Kind& kind, Findings& findings) {
  if (kind.pcie.empty()) return;
  std::vector<int> gpus(static_cast<std::size_t>(kind.gpus)), nics(kind.nics.size());
  const std::string property = prefix + "pcie";
  for (const GraphSpec::PcieSwitch& pcie : kind.pcie) {
    check_indices(property, pcie.gpus, kind.gpus, "names GPU", findings);
    check_indices(property, pcie.nics, static_cast<int>(kind.nics.size()), "names NIC", findings);
    findings.require(pcie.bandwidth > Bandwidth(), property, "a switch has no bandwidth");
    for (const int gpu : pcie.gpus)
      if (gpu >= 0 && gpu < kind.gpus) ++gpus[static_cast<std::size_t>(gpu)];
    for (const int nic : pcie.nics)
      if (nic >= 0 && nic < static_cast<int>(nics.size())) ++nics[static_cast<std::size_t>(nic)];
  }
  const auto one = [](int times) { return times == 1; };
  findings.require(std::all_of(gpus.begin(), gpus.end(), one), property,
                   "every GPU must be below one switch");
  findings.require(std::all_of(nics.begin(), nics.end(), one), property,
                   "every NIC must be below one switch");
}

void check_kind(const Kind& kind, Findings& findings) {
  const std::string prefix = "kind." + kind.name + ".";
  findings.require(kind.gpus > 0, prefix + "gpus", "must be positive");
  check_nvlink(prefix, kind, findings);
  Names names;
  for (const GraphSpec::Nic& nic : kind.nics) {
    check_name(prefix + "nics", nic.name, names, findings);
    check_indices(prefix + "nics", nic.gpus, kind.gpus, "names GPU", findings);
    findings.require(nic.bandwidth > Bandwidth(), prefix + "nics",
                     "'" + nic.name + "' has no bandwidth");
  }
  check_pcie(prefix, kind, findings);
}

void check_cables(const GraphSpec& spec, const Names& switches, const Names& nics,
                  Findings& findings) {
  for (const GraphSpec::Cable& cable : spec.cables) {
    const std::string text = "'" + cable.a + " " + cable.b + "'";
    for (const std::string& end : {cable.a, cable.b})
      findings.require(switches.count(end) + nics.count(end) == 1, "cables",
                       "'" + end + "' is neither a switch nor a NIC of a node");
    findings.require(switches.count(cable.a) + switches.count(cable.b) > 0, "cables",
                     text + " joins two NICs: a switch must be between");
    findings.require(cable.a != cable.b, "cables", text + " joins a switch to itself");
    findings.require(cable.bandwidth > Bandwidth() && cable.count > 0, "cables",
                     text + " has no bandwidth");
  }
}

}  // namespace

std::optional<GraphProblem> graph_problem(const GraphSpec& spec) {
  std::optional<GraphProblem> problem;
  Findings findings(problem);
  Names kinds, nodes, switches, nics;
  for (const Kind& kind : spec.kinds) {
    check_name("kinds", kind.name, kinds, findings);
    check_kind(kind, findings);
  }
  findings.require(!spec.nodes.empty(), "nodes", "there is none");
  for (const GraphSpec::Node& node : spec.nodes) {
    check_name("nodes", node.name, nodes, findings);
    findings.require(kinds.count(node.kind) == 1, "nodes",
                     "'" + node.name + "' is of an unknown kind '" + node.kind + "'" +
                         suggestion(node.kind, {kinds.begin(), kinds.end()}));
    for (const Kind& kind : spec.kinds)
      if (kind.name == node.kind)
        for (const GraphSpec::Nic& nic : kind.nics) nics.insert(node.name + "/" + nic.name);
  }
  for (const GraphSpec::Switch& sw : spec.switches)
    check_name("switches", sw.name, switches, findings);
  check_cables(spec, switches, nics, findings);
  return problem;
}

}  // namespace trainyard
