#include "network/analytic_network.hpp"

#include "network/flow_network.hpp"

#include <algorithm>

namespace trainyard {

namespace {

void add_bytes(const Lowered& groups, double plays, std::vector<double>& bytes) {
  for (const auto& group : groups)
    for (const Demand& demand : group->demands)
      bytes[demand.link.index()] += plays * group->length * demand.load;
}

}  // namespace

const char* to_string(NetworkModel model) {
  if (model == NetworkModel::Flow) return "flow";
  return model == NetworkModel::Analytic ? "analytic" : "simgrid";
}

std::unique_ptr<Network> make_fluid_network(NetworkModel model, Fluid& fluid,
                                            const Platform& platform) {
  if (model == NetworkModel::Analytic) return std::make_unique<AnalyticNetwork>(fluid, platform);
  return std::make_unique<FlowNetwork>(fluid);
}

Seconds analytic_duration(const FlowGroup& group, const Platform& platform) {
  Seconds busiest(group.length / group.rate_cap);
  std::size_t next_cap = 0;
  for (const Demand& demand : group.demands) {
    const bool unshared = next_cap < group.caps.size() && group.caps[next_cap].link == demand.link;
    const double load = unshared ? group.caps[next_cap++].load : demand.load;
    const Link& link = platform.links[demand.link.index()];
    if (link.link_class == LinkClass::Fabric) continue;
    const Seconds time(group.length * load / in_bytes_per_second(link.bandwidth));
    busiest = std::max(busiest, time);
  }
  return group.latency + busiest;
}

Seconds analytic_duration(const Lowered& groups, const Platform& platform) {
  Seconds total;
  for (const auto& group : groups) total += analytic_duration(*group, platform);
  return total;
}

Network::Prepared AnalyticNetwork::prepare(std::shared_ptr<const CollectiveSpec> /*spec*/,
                                           Lowered groups) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<Prepared>(prepared_.size()));
    prepared_.emplace_back();
  }
  const Prepared id = unused_.back();
  unused_.pop_back();
  const Seconds duration = analytic_duration(groups, platform_);
  prepared_[static_cast<std::size_t>(id)] = {std::move(groups), duration, 0};
  return id;
}

void AnalyticNetwork::drop(Prepared collective) {
  Prepare& gone = prepared_[static_cast<std::size_t>(collective)];
  add_bytes(gone.groups, gone.plays, dropped_bytes_);
  gone = Prepare{};
  unused_.push_back(collective);
}

void AnalyticNetwork::start(Prepared collective, Domain domain, Listener* listener,
                            std::int64_t tag) {
  const Seconds duration = prepared_[static_cast<std::size_t>(collective)].duration;
  const Fluid::Handle handle = fluid_.start_delay(domain, duration, this, next_run_);
  runs_[next_run_++] = {collective, domain, listener, tag, handle};
}

void AnalyticNetwork::completed(std::int64_t run) {
  const auto found = runs_.find(run);
  const Run ended = found->second;
  runs_.erase(found);
  credit(ended.collective, 1);
  ended.listener->completed(ended.tag);
}

void AnalyticNetwork::withdraw_all(Domain domain) {
  for (auto run = runs_.begin(); run != runs_.end();) {
    if (run->second.domain != domain) {
      ++run;
      continue;
    }
    fluid_.withdraw(run->second.handle);
    run = runs_.erase(run);
  }
}

void AnalyticNetwork::credit(Prepared collective, double times) {
  prepared_[static_cast<std::size_t>(collective)].plays += times;
}

std::vector<double> AnalyticNetwork::link_bytes() const {
  std::vector<double> bytes = dropped_bytes_;
  for (const Prepare& prepare : prepared_) add_bytes(prepare.groups, prepare.plays, bytes);
  return bytes;
}

}  // namespace trainyard
