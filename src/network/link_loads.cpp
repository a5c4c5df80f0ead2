#include "network/link_loads.hpp"

#include "network/adaptive/division.hpp"

namespace trainyard {

namespace {

// Most groups cross a few of a hundred thousand links: making a table for each would cost more than
// all the rest. So the last one's table is kept for the next.
// INVARIANT: every load in it is zero.
std::vector<Load>& table_to_lend() {
  thread_local std::vector<Load> table;
  return table;
}

std::vector<Load> borrow_table(std::size_t links) {
  std::vector<Load> table;
  table.swap(table_to_lend());
  table.resize(links);
  return table;
}

}  // namespace

LinkLoads::LinkLoads(const Platform& platform, const Routing& routing)
    : platform_(platform),
      routing_(routing),
      loads_(borrow_table(platform.links.size())),
      queue_pairs_(routing.queue_pairs()) {
  if (routing.divides()) bundles_.emplace(platform);
}

LinkLoads::~LinkLoads() {
  for (const LinkId link : touched_) loads_[link.index()] = {};
  table_to_lend().swap(loads_);
}

Load LinkLoads::load(Bytes size, double connections) const {
  if (size.count() == 0) return {};
  const auto all = static_cast<double>(size.count());
  return {all * connections, queue_pairs_ * connections, all / queue_pairs_};
}

void LinkLoads::add(GpuId from, GpuId to, Bytes size) {
  at_least(routing_.latency(from, to));
  if (size.count() == 0) return;
  const double bytes = static_cast<double>(size.count()) / queue_pairs_;
  for (int pair = 0; pair < queue_pairs_; ++pair) {
    path_.clear();
    routing_.append_path(from, to, pair, path_);
    add(path_.data(), path_.data() + path_.size(), {bytes, 1, bytes});
  }
}

void LinkLoads::add(const LinkShare* first, const LinkShare* last, const Load& more) {
  for (const LinkShare* hop = first; hop != last; ++hop) add(*hop, more);
  if (bundles_ && more.bytes > 0) bundles_->add(first, last, more.bytes);
}

void LinkLoads::end_phase(int rounds) {
  latency_ += rounds * slowest_;
  slowest_ = Seconds();
}

FlowGroup LinkLoads::group() {
  FlowGroup group;
  group.latency = latency_;
  if (touched_.empty()) return group;
  std::sort(touched_.begin(), touched_.end());
  const double unit = bytes_per_flow_on_bottleneck();
  group.length = unit;
  group.demands.reserve(touched_.size());
  for (const LinkId link : touched_) {
    const Load& load = loads_[link.index()];
    group.demands.push_back({link, load.bytes / unit});
    if (!platform_.links[link.index()].shared) group.caps.push_back({link, load.largest / unit});
  }
  if (!bundles_) return group;
  Ways ways = bundles_->ways(unit, [this](LinkId link) { return loads_[link.index()].bytes; });
  if (ways.bundles.empty()) return group;
  group.ways = std::make_shared<const Ways>(std::move(ways));
  return divided_alone(std::move(group), nominal_capacities(platform_));
}

// Ties (links equally tight) go to the lowest id: a bottleneck must beat the best by more than
// rounding.
double LinkLoads::bytes_per_flow_on_bottleneck() const {
  constexpr double kClearly = 1 + 1e-9;
  double tightest = -1, unit = 1;
  for (const LinkId link : touched_) {
    const Load& load = loads_[link.index()];
    const Link& data = platform_.links[link.index()];
    const double time =
        (data.shared ? load.bytes : load.largest) / in_bytes_per_second(data.bandwidth);
    if (time <= tightest * kClearly) continue;
    tightest = time;
    unit = load.bytes / load.flows;
  }
  return unit;
}

}  // namespace trainyard
