#include "network/flow_network.hpp"

namespace trainyard {

Lowered lower(const CollectiveSpec& spec, const Platform& platform, const Routing& routing) {
  Lowered groups;
  std::vector<Phase> pipelined;
  const auto close = [&] {
    if (pipelined.empty()) return;
    groups.push_back(
        std::make_shared<const FlowGroup>(lower(pipelined, spec.members, platform, routing)));
    pipelined.clear();
  };
  for (Phase& phase : spec.algorithm->phases(spec.collective)) {
    if (!phase.with_previous) close();
    pipelined.push_back(std::move(phase));
  }
  close();
  return groups;
}

Seconds alone_duration(const Lowered& groups, const Capacities& capacities) {
  Seconds total;
  for (const auto& group : groups) total += alone_duration(*group, capacities);
  return total;
}

Network::Prepared FlowNetwork::prepare(CollectiveSpec /*spec*/, Lowered groups) {
  if (unused_collectives_.empty()) {
    unused_collectives_.push_back(static_cast<Prepared>(collectives_.size()));
    collectives_.emplace_back();
  }
  const Prepared id = unused_collectives_.back();
  unused_collectives_.pop_back();
  std::vector<Fluid::PatternId>& patterns = collectives_[static_cast<std::size_t>(id)];
  for (auto& group : groups) patterns.push_back(fluid_.add_pattern(std::move(group)));
  return id;
}

void FlowNetwork::drop(Prepared collective) {
  std::vector<Fluid::PatternId>& patterns = collectives_[static_cast<std::size_t>(collective)];
  for (const Fluid::PatternId pattern : patterns) fluid_.drop_pattern(pattern);
  patterns.clear();
  unused_collectives_.push_back(collective);
}

void FlowNetwork::start(Prepared collective, Domain domain, Listener* listener, std::int64_t tag) {
  if (unused_runs_.empty()) {
    unused_runs_.push_back(runs_.size());
    runs_.emplace_back();
  }
  const std::size_t run = unused_runs_.back();
  unused_runs_.pop_back();
  runs_[run] = {collective, 0, domain, listener, tag, -1, true};
  play(run);
}

// Starts the run's next phase. A collective without phases (one rank) takes a delay of zero.
void FlowNetwork::play(std::size_t run) {
  Run& state = runs_[run];
  const auto& patterns = collectives_[static_cast<std::size_t>(state.collective)];
  const auto tag = static_cast<std::int64_t>(run);
  if (state.phase < patterns.size()) {
    state.handle = fluid_.start_flow(state.domain, patterns[state.phase], this, tag);
  } else {
    state.handle = fluid_.start_delay(state.domain, Seconds(0), this, tag);
  }
}

void FlowNetwork::completed(std::int64_t run) {
  Run& state = runs_[static_cast<std::size_t>(run)];
  const auto& patterns = collectives_[static_cast<std::size_t>(state.collective)];
  if (++state.phase < patterns.size()) return play(static_cast<std::size_t>(run));
  const Run ended = state;
  state = Run{};
  unused_runs_.push_back(static_cast<std::size_t>(run));
  ended.listener->completed(ended.tag);
}

void FlowNetwork::withdraw_all(Domain domain) {
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    if (!runs_[run].active || runs_[run].domain != domain) continue;
    fluid_.withdraw(runs_[run].handle);
    runs_[run] = Run{};
    unused_runs_.push_back(run);
  }
}

void FlowNetwork::credit(Prepared collective, double times) {
  for (const Fluid::PatternId pattern : collectives_[static_cast<std::size_t>(collective)])
    fluid_.credit(pattern, times);
}

}  // namespace trainyard
