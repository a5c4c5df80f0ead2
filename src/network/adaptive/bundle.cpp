#include "network/adaptive/bundle.hpp"

#include <algorithm>
#include <set>

namespace trainyard {

namespace {

constexpr std::size_t kMostCables = 1U << 17;  // of all bundles of a group
constexpr double kUndivided = 1 - 1e-9;
constexpr double kNone = 1e-9;  // of a load: rounding

}  // namespace

std::vector<double> Ways::loads() const {
  std::vector<double> loads = fixed;
  for (const Bundle& bundle : bundles)
    for (const Bundle::Cable& cable : bundle.cables) loads[cable.link] += bundle.load * cable.share;
  return loads;
}

BundleSums::BundleSums(const Platform& platform) : ends_(platform.links.size()) {
  for (std::size_t i = 0; i < platform.switches.size(); ++i)
    for (const std::vector<Port>* ports :
         {&platform.switches[i].up, &platform.switches[i].down, &platform.switches[i].across})
      for (const Port& port : *ports)
        ends_[port.out.index()] = {SwitchId(static_cast<std::int64_t>(i)), port.peer};
}

void BundleSums::add(const LinkShare* first, const LinkShare* last, double bytes) {
  if (cables_ > kMostCables) return;
  Path path;
  for (const LinkShare* hop = first; hop != last; ++hop)
    if (hop->share < kUndivided && ends_[hop->link.index()].from.valid())
      path.emplace_back(hop->link, hop->share);
  if (path.empty()) return;
  const std::size_t cables = path.size();
  const auto [at, is_new] = bytes_.emplace(std::move(path), 0);
  at->second += bytes;
  if (is_new) cables_ += cables;
}

Bundle BundleSums::bundle(const Path& path, double load, const std::vector<LinkId>& links) const {
  Bundle bundle;
  bundle.load = load;
  std::map<SwitchId, int> places;
  const auto place = [&](SwitchId at) {
    const auto [known, is_new] = places.emplace(at, static_cast<int>(places.size()));
    if (is_new) bundle.supply.push_back(0);
    return known->second;
  };
  for (const auto& [link, share] : path) {
    const int from = place(ends_[link.index()].from), to = place(ends_[link.index()].to);
    const auto at = std::lower_bound(links.begin(), links.end(), link) - links.begin();
    bundle.cables.push_back({static_cast<std::size_t>(at), from, to, share});
    bundle.supply[static_cast<std::size_t>(from)] += share;
    bundle.supply[static_cast<std::size_t>(to)] -= share;
  }
  return bundle;
}

Ways BundleSums::ways(double bytes_per_unit, const std::function<double(LinkId)>& bytes_on) const {
  Ways ways;
  if (cables_ > kMostCables) return ways;
  std::set<LinkId> links;
  for (const auto& [path, bytes] : bytes_)
    for (const auto& hop : path) links.insert(hop.first);
  ways.links.assign(links.begin(), links.end());
  ways.fixed.assign(links.size(), 0);
  for (const auto& [path, bytes] : bytes_)
    ways.bundles.push_back(bundle(path, bytes / bytes_per_unit, ways.links));
  const std::vector<double> loads = ways.loads();
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const double all = bytes_on(ways.links[i]) / bytes_per_unit;
    if (all - loads[i] > kNone * all) ways.fixed[i] = all - loads[i];
  }
  return ways;
}

}  // namespace trainyard
