#include "network/surviving_routing.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <set>

namespace trainyard {

namespace {

// A fabric of any shape now: trees have lost their regularity.
Platform without(const Platform& platform, const std::vector<char>& down) {
  Platform left = platform;
  left.fabric = FabricShape::Graph;
  const auto is_down = [&down](const Port& port) { return down[port.out.index()] != 0; };
  for (Switch& sw : left.switches)
    for (std::vector<Port>* ports : {&sw.up, &sw.down, &sw.across})
      ports->erase(std::remove_if(ports->begin(), ports->end(), is_down), ports->end());
  for (Gpu& gpu : left.gpus) {
    if (!gpu.nic.valid()) continue;
    std::vector<NicId> nics = {gpu.nic};
    nics.insert(nics.end(), gpu.more_nics.begin(), gpu.more_nics.end());
    nics.erase(std::remove_if(nics.begin(), nics.end(),
                              [&](NicId nic) {
                                const Nic& data = platform.nics[nic.index()];
                                return down[data.up.index()] || down[data.down.index()];
                              }),
               nics.end());
    gpu.nic = nics.empty() ? NicId() : nics.front();
    gpu.more_nics.assign(nics.empty() ? nics.end() : nics.begin() + 1, nics.end());
  }
  return left;
}

}  // namespace

void SurvivingRouting::set_down(const std::vector<LinkId>& links) {
  detours_.reset();
  survivors_.reset();
  down_.clear();
  if (links.empty()) return;
  down_.resize(platform_.links.size());
  for (const LinkId link : links) down_[link.index()] = 1;
  survivors_ = std::make_unique<Platform>(without(platform_, down_));
  detours_ = make_routing(*survivors_, spec_);
}

bool SurvivingRouting::is_broken(GpuId from, GpuId to, int queue_pair) const {
  if (down_.empty()) return false;
  std::vector<LinkShare> path;
  own_.append_path(from, to, queue_pair, path);
  return std::any_of(path.begin(), path.end(),
                     [this](const LinkShare& hop) { return down_[hop.link.index()] != 0; });
}

void SurvivingRouting::append_path(GpuId from, GpuId to, int queue_pair,
                                   std::vector<LinkShare>& out) const {
  if (!is_broken(from, to, queue_pair)) return own_.append_path(from, to, queue_pair, out);
  const std::size_t before = out.size();
  try {
    detours_->append_path(from, to, queue_pair, out);
  } catch (const InfeasibleError&) {
    out.resize(before, LinkShare{});
    own_.append_path(from, to, queue_pair, out);
  }
}

Seconds SurvivingRouting::latency(GpuId from, GpuId to) const {
  if (!is_broken(from, to, 0)) return own_.latency(from, to);
  try {
    return detours_->latency(from, to);
  } catch (const InfeasibleError&) {
    return own_.latency(from, to);
  }
}

namespace {

// The ports of a switch that lead to a peer, in their order: the k-th of each end are one cable.
std::vector<LinkId> ports_to(const Platform& platform, SwitchId from, SwitchId to) {
  std::vector<LinkId> links;
  const Switch& sw = platform.switches[from.index()];
  for (const std::vector<Port>* ports : {&sw.up, &sw.down, &sw.across})
    for (const Port& port : *ports)
      if (port.peer == to) links.push_back(port.out);
  return links;
}

// "leaf0/spine1/up" is called "leaf0/spine1" too.
bool is_called(const Platform& platform, LinkId link, const std::string& name) {
  const std::string& own = platform.links[link.index()].name;
  return own == name || own == name + "/up" || own == name + "/down";
}

}  // namespace

std::vector<std::vector<LinkId>> cables_seen_from(const Platform& platform, const Switch& from) {
  const SwitchId id(&from - platform.switches.data());
  std::set<SwitchId> peers;
  for (const std::vector<Port>* ports : {&from.up, &from.down, &from.across})
    for (const Port& port : *ports) peers.insert(port.peer);
  std::vector<std::vector<LinkId>> cables;
  for (const SwitchId peer : peers) {
    const std::vector<LinkId> out = ports_to(platform, id, peer);
    const std::vector<LinkId> back = ports_to(platform, peer, id);
    for (std::size_t k = 0; k < out.size() && k < back.size(); ++k)
      cables.push_back({std::min(out[k], back[k]), std::max(out[k], back[k])});
  }
  for (const Nic& nic : platform.nics)
    if (nic.leaf == id) cables.push_back({std::min(nic.up, nic.down), std::max(nic.up, nic.down)});
  std::sort(cables.begin(), cables.end());
  return cables;
}

std::vector<LinkId> find_cable(const Platform& platform, const std::string& name) {
  for (const Switch& sw : platform.switches)
    for (const std::vector<LinkId>& cable : cables_seen_from(platform, sw))
      for (const LinkId link : cable)
        if (is_called(platform, link, name)) return cable;
  return {};
}

std::vector<LinkId> cables_of_switch(const Platform& platform, const std::string& name) {
  std::vector<LinkId> links;
  for (const Switch& sw : platform.switches)
    if (sw.name == name)
      for (const std::vector<LinkId>& cable : cables_seen_from(platform, sw))
        links.insert(links.end(), cable.begin(), cable.end());
  std::sort(links.begin(), links.end());
  return links;
}

}  // namespace trainyard
