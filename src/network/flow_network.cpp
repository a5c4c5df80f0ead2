#include "network/flow_network.hpp"

#include "network/calibrated.hpp"

#include <utility>

namespace trainyard {

namespace {

constexpr double kWithLatency = 2;  // of a stalled phase: it had not paid its latency yet

}  // namespace

std::vector<FlowGroup> lower_phases(const CollectiveSpec& spec, const Platform& platform,
                                    const Routing& routing, int& rounds) {
  std::vector<FlowGroup> groups;
  std::vector<Phase> pipelined;
  const auto close = [&] {
    if (!pipelined.empty()) groups.push_back(lower(pipelined, spec.members, platform, routing));
    pipelined.clear();
  };
  for (Phase& phase : spec.algorithm->phases(spec.collective)) {
    if (!phase.with_previous) close();
    rounds += phase.rounds;
    pipelined.push_back(std::move(phase));
  }
  close();
  return groups;
}

Lowered lower(const CollectiveSpec& spec, const Platform& platform, const Routing& routing) {
  int rounds = 0;
  std::vector<FlowGroup> groups = lower_phases(spec, platform, routing, rounds);
  if (spec.calibration)
    calibrate(*spec.calibration, spec.collective, spec.algorithm->name,
              {rounds, nominal_capacities(platform)}, groups);
  Lowered lowered;
  for (FlowGroup& group : groups)
    lowered.push_back(std::make_shared<const FlowGroup>(std::move(group)));
  return lowered;
}

Seconds alone_duration(const Lowered& groups, const Capacities& capacities) {
  Seconds total;
  for (const auto& group : groups) total += alone_duration(*group, capacities);
  return total;
}

Network::Prepared FlowNetwork::prepare(std::shared_ptr<const CollectiveSpec> spec, Lowered groups) {
  if (unused_collectives_.empty()) {
    unused_collectives_.push_back(static_cast<Prepared>(collectives_.size()));
    collectives_.emplace_back();
  }
  const Prepared id = unused_collectives_.back();
  unused_collectives_.pop_back();
  Collective& collective = collectives_[static_cast<std::size_t>(id)];
  collective.spec = std::move(spec);
  collective.patterns = add_patterns(groups);
  collective.routes = routes_;
  return id;
}

FlowNetwork::Patterns FlowNetwork::add_patterns(const Lowered& groups) {
  std::vector<Fluid::PatternId> patterns;
  patterns.reserve(groups.size());
  for (const auto& group : groups) patterns.push_back(fluid_.add_pattern(group));
  const auto drop_all = [&fluid = fluid_](const std::vector<Fluid::PatternId>* all) {
    const std::unique_ptr<const std::vector<Fluid::PatternId>> owned(all);
    for (const Fluid::PatternId pattern : *owned) fluid.drop_pattern(pattern);
  };
  return {std::make_unique<std::vector<Fluid::PatternId>>(std::move(patterns)).release(), drop_all};
}

void FlowNetwork::drop(Prepared collective) {
  collectives_[static_cast<std::size_t>(collective)] = Collective{};
  unused_collectives_.push_back(collective);
}

void FlowNetwork::start(Prepared collective, Domain domain, Listener* listener, std::int64_t tag) {
  if (unused_runs_.empty()) {
    unused_runs_.push_back(runs_.size());
    runs_.emplace_back();
  }
  const std::size_t id = unused_runs_.back();
  unused_runs_.pop_back();
  Run& run = runs_[id];
  run.collective = collective;
  run.domain = domain;
  run.listener = listener;
  run.tag = tag;
  run.active = true;
  play(id);
}

// Starts the run's next phase. A collective without phases (one rank) takes a delay of zero.
void FlowNetwork::play(std::size_t id) {
  Run& run = runs_[id];
  run.patterns = current(collectives_[static_cast<std::size_t>(run.collective)]);
  const auto tag = static_cast<std::int64_t>(id);
  if (run.phase == run.patterns->size()) {
    run.handle = fluid_.start_delay(run.domain, Seconds(0), this, tag);
  } else if (down_link(run).valid()) {
    stall(id);
  } else {
    run.handle = fluid_.start_flow(run.domain, (*run.patterns)[run.phase], this, tag);
  }
}

void FlowNetwork::completed(std::int64_t tag) {
  const auto id = static_cast<std::size_t>(tag);
  Run& run = runs_[id];
  if (run.left) return retransmit(id);
  if (run.phase < run.patterns->size() && ++run.phase < run.patterns->size()) return play(id);
  Listener* const listener = run.listener;
  const std::int64_t listeners_tag = run.tag;
  end(id);
  listener->completed(listeners_tag);
}

void FlowNetwork::end(std::size_t run) {
  runs_[run] = Run{};
  unused_runs_.push_back(run);
}

void FlowNetwork::withdraw_all(Domain domain) {
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    if (!runs_[run].active || runs_[run].domain != domain) continue;
    fluid_.withdraw(runs_[run].handle);
    if (runs_[run].left) note_stalled(domain, -1);
    end(run);
  }
}

void FlowNetwork::credit(Prepared collective, double times) {
  for (const Fluid::PatternId pattern :
       *collectives_[static_cast<std::size_t>(collective)].patterns)
    fluid_.credit(pattern, times);
}

// ---- Links that fail and return ----

void FlowNetwork::expect_link_failures(Lower lower, Transport transport, Abort abort) {
  lower_ = std::move(lower);
  transport_ = transport;
  abort_ = std::move(abort);
}

const FlowNetwork::Patterns& FlowNetwork::current(Collective& collective) {
  if (collective.routes != routes_) {
    collective.patterns = add_patterns(lower_(*collective.spec));
    collective.routes = routes_;
  }
  return collective.patterns;
}

LinkId FlowNetwork::down_link(const Run& run) const {
  if (down_.empty() || run.phase == run.patterns->size()) return {};
  for (const Demand& demand : fluid_.pattern((*run.patterns)[run.phase]).demands)
    if (down_[demand.link.index()]) return demand.link;
  return {};
}

void FlowNetwork::links_down(const std::vector<LinkId>& links) {
  if (down_.empty()) down_.resize(fluid_.links());
  for (const LinkId link : links) down_[link.index()] = 1;
  ++routes_;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    if (!runs_[run].active || runs_[run].left || !down_link(runs_[run]).valid()) continue;
    leave_links(runs_[run]);
    stall(run);
  }
}

void FlowNetwork::links_up(const std::vector<LinkId>& links) {
  for (const LinkId link : links) down_[link.index()] = 0;
  ++routes_;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    if (!runs_[run].active || runs_[run].left) continue;
    if (runs_[run].phase == runs_[run].patterns->size()) continue;
    leave_links(runs_[run]);
    go_on(run);
  }
}

void FlowNetwork::leave_links(Run& run) {
  run.left = fluid_.fraction_left(run.handle).value_or(kWithLatency);
  fluid_.withdraw(run.handle);
}

void FlowNetwork::stall(std::size_t id) {
  Run& run = runs_[id];
  if (!run.left) run.left = kWithLatency;
  run.tries = 0;
  note_stalled(run.domain, 1);
  stalled_[run.domain].link = down_link(run);
  wait(id);
}

void FlowNetwork::wait(std::size_t id) {
  const Domain domain = runs_[id].domain;
  runs_[id].handle =
      fluid_.start_delay(domain, transport_.timeout, this, static_cast<std::int64_t>(id));
}

// Several collectives of one job that stand still at the same time count once.
void FlowNetwork::note_stalled(Domain domain, int more) {
  Stalled& stalled = stalled_[domain];
  if (stalled.runs > 0) stalled.total += fluid_.now() - stalled.since;
  stalled.since = fluid_.now();
  stalled.runs += more;
}

Network::Stall FlowNetwork::take_stalled(Domain domain) {
  if (stalled_.empty()) return {};
  note_stalled(domain, 0);
  Stalled& stalled = stalled_[domain];
  return {std::exchange(stalled.total, Seconds()), stalled.link};
}

// The rest of the phase, on the routes there are now.
void FlowNetwork::go_on(std::size_t id) {
  Run& run = runs_[id];
  run.patterns = current(collectives_[static_cast<std::size_t>(run.collective)]);
  if (down_link(run).valid()) return stall(id);
  const auto tag = static_cast<std::int64_t>(id);
  const Fluid::PatternId pattern = (*run.patterns)[run.phase];
  run.handle = *run.left == kWithLatency
                   ? fluid_.start_flow(run.domain, pattern, this, tag)
                   : fluid_.start_rest(run.domain, pattern, *run.left, this, tag);
  run.left.reset();
}

void FlowNetwork::retransmit(std::size_t id) {
  Run& run = runs_[id];
  run.patterns = current(collectives_[static_cast<std::size_t>(run.collective)]);
  const LinkId link = down_link(run);
  if (link.valid() && ++run.tries < transport_.retries) return wait(id);
  note_stalled(run.domain, -1);
  link.valid() ? abort(id, link) : go_on(id);
}

void FlowNetwork::abort(std::size_t id, LinkId link) {
  const Domain domain = runs_[id].domain;
  end(id);
  abort_(domain, link);
}

}  // namespace trainyard
