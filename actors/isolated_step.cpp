#include "actors/isolated_step.hpp"

#include "actors/explain/standstill.hpp"
#include "actors/explain/step_timeline.hpp"
#include "actors/program_player.hpp"
#include "base/error.hpp"
#include "network/analytic_network.hpp"
#include "network/twin_links.hpp"

#include <algorithm>

namespace trainyard {

namespace {

constexpr int kSteps = 3;         // the first two let unequal ranks fall into step
constexpr int kVariedSteps = 50;  // a jitter of 5 % leaves 0.7 % of doubt

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Its bytes are nobody's: twin links need not be played twice.
std::unique_ptr<Network> network_of(const StepModel& model, const Machine& machine, Fluid& fluid) {
  auto network = make_fluid_network(machine.model, fluid, *machine.platform);
  if (machine.model == NetworkModel::Analytic) return network;
  std::vector<Lowered> collectives;
  collectives.reserve(model.channels.size());
  for (const Channel& channel : model.channels) collectives.push_back(channel.groups);
  return std::make_unique<ThinNetwork>(std::move(network),
                                       TwinLinks(collectives, machine.capacities));
}

// A job alone on a private Fluid; every class goes on to its next step at once, as training does.
class FreeRun final : public StepListener {
public:
  FreeRun(const StepModel& model, const Machine& machine, int steps = kSteps)
      : model_(model),
        all_(steps),
        fluid_(machine.capacities, *machine.platform),
        network_(network_of(model, machine, fluid_)),
        player_(model, fluid_, *network_, 0, *this),
        steps_(model.classes.size()) {}

  ProgramPlayer& player() { return player_; }
  double now() const { return in_seconds(fluid_.now() - Fluid::Instant{}); }
  int steps_of(int rank_class) const { return steps_[at(rank_class)]; }

  // Returns the mean time between the ends of the steps after the first two.
  Seconds run() {
    for (std::size_t c = 0; c < steps_.size(); ++c) player_.start_step(static_cast<int>(c));
    Fluid::Instant second = fluid_.now();
    for (int steps = 0; steps < all_;) {
      const Seconds next = fluid_.until_next();
      if (next == forever())
        throw SimulationError("a step of the job cannot proceed: " +
                              describe_standstill(model_, player_.waiting()));
      fluid_.advance(next);
      if (slowest() == steps) continue;
      steps = slowest();
      if (steps == kSteps - 1) second = fluid_.now();
    }
    return (fluid_.now() - second) / static_cast<double>(all_ - kSteps + 1);
  }

private:
  void class_ended_step(int rank_class) override {
    int& steps = steps_[at(rank_class)];
    if (++steps < all_) player_.start_step(rank_class);
  }
  int slowest() const { return *std::min_element(steps_.begin(), steps_.end()); }

  const StepModel& model_;
  const int all_;
  Fluid fluid_;
  std::unique_ptr<Network> network_;
  ProgramPlayer player_;
  std::vector<int> steps_;
};

// Keeps the times of each class's last step.
class Recorder final : public PlayObserver {
public:
  Recorder(const StepModel& model, const FreeRun& run)
      : model_(model), run_(run), started_(model.channels.size()) {
    timeline_.start.resize(model.classes.size(), -1);
    timeline_.end.resize(model.classes.size());
    for (const RankClass& rank_class : model.classes)
      timeline_.operations.emplace_back(rank_class.operations.size());
  }

  StepTimeline take(Seconds step) {
    timeline_.step = in_seconds(step);
    return std::move(timeline_);
  }

private:
  bool recorded(int rank_class) const { return run_.steps_of(rank_class) == kSteps - 1; }

  void operation_began(int rank_class, int operation) override {
    if (!recorded(rank_class)) return;
    double& start = timeline_.start[at(rank_class)];
    if (start < 0) start = run_.now();
    OperationTimes& times = timeline_.operations[at(rank_class)][at(operation)];
    times.began = times.started = run_.now();
  }
  void collective_started(int channel, int last_class) override {
    started_[at(channel)] = {run_.now(), last_class};
  }
  void operation_ended(int rank_class, int operation) override {
    if (!recorded(rank_class)) return;
    OperationTimes& times = timeline_.operations[at(rank_class)][at(operation)];
    times.ended = timeline_.end[at(rank_class)] = run_.now();
    const int channel = model_.classes[at(rank_class)].operations[at(operation)].channel;
    if (channel < 0) return;
    times.started = started_[at(channel)].at;
    times.last_class = started_[at(channel)].last_class;
  }

  struct Started {
    double at = 0;
    int last_class = -1;
  };
  const StepModel& model_;
  const FreeRun& run_;
  std::vector<Started> started_;  // by channel, the last time
  StepTimeline timeline_;
};

// Without collectives that others delay nobody waits for anybody: the longest path of the slowest
// class.
Seconds longest_path(const StepModel& model) {
  double slowest = 0;
  for (const RankClass& rank_class : model.classes) {
    const auto& operations = rank_class.operations;
    std::vector<double> ready(operations.size());
    std::vector<int> waits_for, order;
    for (std::size_t o = 0; o < operations.size(); ++o) {
      waits_for.push_back(operations[o].waits_for);
      if (operations[o].waits_for == 0) order.push_back(static_cast<int>(o));
    }
    for (std::size_t next = 0; next < order.size(); ++next) {
      const auto o = static_cast<std::size_t>(order[next]);
      const double end = ready[o] + operations[o].seconds;
      slowest = std::max(slowest, end);
      for (const int successor : operations[o].enables) {
        const auto s = static_cast<std::size_t>(successor);
        ready[s] = std::max(ready[s], end);
        if (--waits_for[s] == 0) order.push_back(successor);
      }
    }
  }
  return Seconds(slowest);
}

}  // namespace

Seconds isolated_step(const StepModel& model, const Machine& machine) {
  if (model.channels.empty() && !model.overlap) return longest_path(model);
  return FreeRun(model, machine).run();
}

Seconds varied_step(const StepModel& model, const Machine& machine, const MakeDurations& rule) {
  FreeRun run(model, machine, kSteps - 1 + kVariedSteps);
  const std::unique_ptr<DurationRule> durations = rule([&run] { return Seconds(run.now()); });
  run.player().vary(*durations);
  return run.run();
}

StepTimeline isolated_timeline(const StepModel& model, const Machine& machine) {
  FreeRun run(model, machine);
  Recorder recorder(model, run);
  run.player().observe(recorder);
  return recorder.take(run.run());
}

}  // namespace trainyard
