#include "platforms/graph/graph_builder.hpp"

#include "platforms/pcie.hpp"

#include <algorithm>

namespace trainyard {

namespace {

using Kind = GraphSpec::NodeKind;

template <typename T>
std::int64_t size_of(const std::vector<T>& things) {
  return static_cast<std::int64_t>(things.size());
}

std::string numbered(const std::string& name, int number) { return name + std::to_string(number); }

}  // namespace

GraphBuilder::GraphBuilder(const GraphSpec& spec, Platform& platform)
    : spec_(spec), platform_(platform) {
  for (const Kind& kind : spec.kinds) kinds_[kind.name] = &kind;
  for (std::size_t i = 0; i < spec.switches.size(); ++i)
    switches_[spec.switches[i].name] = SwitchId(static_cast<std::int64_t>(i));
  collect_uplinks();
}

void GraphBuilder::collect_uplinks() {
  for (const GraphSpec::Cable& cable : spec_.cables) {
    const auto a = switches_.find(cable.a);
    const auto b = switches_.find(cable.b);
    if (a != switches_.end() && b != switches_.end()) {
      parallel_[std::minmax(a->second, b->second)] += cable.count;
      continue;
    }
    const SwitchId leaf = a != switches_.end() ? a->second : b->second;
    auto& uplinks = uplinks_[a != switches_.end() ? cable.b : cable.a];
    uplinks.insert(uplinks.end(), static_cast<std::size_t>(cable.count), {leaf, &cable});
  }
}

LinkId GraphBuilder::add_link(Link link) {
  platform_.links.push_back(std::move(link));
  return LinkId(size_of(platform_.links) - 1);
}

void GraphBuilder::add_nodes() {
  for (const GraphSpec::Node& node : spec_.nodes) add_node(node);
}

void GraphBuilder::add_node(const GraphSpec::Node& node) {
  const Kind& kind = *kinds_.at(node.kind);
  first_gpu_ = GpuId(size_of(platform_.gpus));
  platform_.nodes.push_back({node.name, first_gpu_, kind.gpus, SwitchId()});
  add_gpus(kind, node.name);
  add_pairs(kind, node.name);
  const std::vector<Nic> slots = add_pcie(kind, node.name);
  for (std::size_t nic = 0; nic < kind.nics.size(); ++nic)
    add_ports(kind, nic, node.name, slots[nic]);
}

void GraphBuilder::add_gpus(const Kind& kind, const std::string& node) {
  const NodeId id(size_of(platform_.nodes) - 1);
  for (int i = 0; i < kind.gpus; ++i) {
    Gpu gpu;
    gpu.node = id;
    gpu.domain = DomainId(id.value());
    if (kind.nvswitch && kind.gpus > 1) {
      const Link link = {"", kind.nvswitch->bandwidth, kind.nvswitch->latency, LinkClass::NvLink};
      const std::string name = numbered(node + "/gpu", i);
      gpu.nvlink_up = add_link(link);
      gpu.nvlink_down = add_link(link);
      platform_.links[gpu.nvlink_up.index()].name = name + "/nvlink_up";
      platform_.links[gpu.nvlink_down.index()].name = name + "/nvlink_down";
    }
    platform_.gpus.push_back(gpu);
  }
}

void GraphBuilder::add_pairs(const Kind& kind, const std::string& node) {
  const auto added = static_cast<std::ptrdiff_t>(platform_.nvlink_pairs.size());
  for (const GraphSpec::NvlinkPair& pair : kind.nvlink) {
    const auto [a, b] = std::minmax(pair.a, pair.b);
    const auto direction = [&](int from, int to) {
      return add_link({numbered(node + "/gpu", from) + numbered("/nvlink_gpu", to), pair.bandwidth,
                       pair.latency, LinkClass::NvLink});
    };
    const LinkId there = direction(a, b);
    platform_.nvlink_pairs.push_back(
        {GpuId(first_gpu_.value() + a), GpuId(first_gpu_.value() + b), there, direction(b, a)});
  }
  std::sort(platform_.nvlink_pairs.begin() + added, platform_.nvlink_pairs.end(),
            [](const NvlinkPair& one, const NvlinkPair& other) {
              return std::make_pair(one.a, one.b) < std::make_pair(other.a, other.b);
            });
}

// The switches and the GPUs' slots; returns the NICs', each with what is plugged into it yet to be.
std::vector<Nic> GraphBuilder::add_pcie(const Kind& kind, const std::string& node) {
  std::vector<Nic> slots(kind.nics.size());
  for (std::size_t i = 0; i < kind.pcie.size(); ++i) {
    const GraphSpec::PcieSwitch& pcie = kind.pcie[i];
    const PcieSpec spec = {pcie.bandwidth, pcie.latency};
    const PcieId id = add_pcie_switch(platform_, spec, NodeId(size_of(platform_.nodes) - 1),
                                      numbered(node + "/pcie", static_cast<int>(i)));
    for (const int number : pcie.gpus)
      plug_in(platform_, spec, id, numbered(node + "/gpu", number),
              platform_.gpus[first_gpu_.index() + static_cast<std::size_t>(number)]);
    for (const int number : pcie.nics) {
      const auto nic = static_cast<std::size_t>(number);
      plug_in(platform_, spec, id, node + "/" + kind.nics[nic].name, slots[nic]);
    }
  }
  return slots;
}

// A port for each cable; the down link's latency is that of the leaf, the cable and the NIC.
void GraphBuilder::add_ports(const Kind& kind, std::size_t number, const std::string& node,
                             const Nic& slot) {
  const GraphSpec::Nic& nic = kind.nics[number];
  const std::string name = node + "/" + nic.name;
  const auto uplinks = uplinks_.find(name);
  if (uplinks == uplinks_.end()) return;
  int port = 0;
  for (const Uplink& uplink : uplinks->second) {
    const std::string here = uplinks->second.size() == 1 ? name : numbered(name + "/port", port++);
    const Bandwidth bandwidth = std::min(nic.bandwidth, uplink.cable->bandwidth);
    const Seconds leaving = nic.latency + uplink.cable->latency;
    Nic added = slot;
    added.node = NodeId(size_of(platform_.nodes) - 1);
    added.leaf = uplink.leaf;
    added.up = add_link({here + "/up", bandwidth, leaving, LinkClass::Nic});
    added.down =
        add_link({here + "/down", bandwidth, latency_of(uplink.leaf) + leaving, LinkClass::Nic});
    platform_.nics.push_back(added);
    Node& owner = platform_.nodes.back();
    if (!owner.leaf.valid()) owner.leaf = uplink.leaf;
    connect_gpus(kind, number, NicId(size_of(platform_.nics) - 1));
  }
}

void GraphBuilder::connect_gpus(const Kind& kind, std::size_t number, NicId port) {
  for (int i = 0; i < kind.gpus; ++i) {
    const auto serves = [i](const GraphSpec::Nic& nic) {
      return std::find(nic.gpus.begin(), nic.gpus.end(), i) != nic.gpus.end();
    };
    const bool near =
        serves(kind.nics[number]) || std::none_of(kind.nics.begin(), kind.nics.end(), serves);
    if (!near) continue;
    Gpu& gpu = platform_.gpus[first_gpu_.index() + static_cast<std::size_t>(i)];
    if (gpu.nic.valid())
      gpu.more_nics.push_back(port);
    else
      gpu.nic = port;
  }
}

void GraphBuilder::add_switches() {
  for (const GraphSpec::Switch& sw : spec_.switches) {
    Switch added;
    added.name = sw.name;
    added.level = 0;  // not known yet
    platform_.switches.push_back(std::move(added));
  }
}

}  // namespace trainyard
