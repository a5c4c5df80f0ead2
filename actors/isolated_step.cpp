#include "actors/isolated_step.hpp"

#include "actors/program_player.hpp"
#include "network/analytic_network.hpp"

#include <algorithm>

namespace trainyard {

namespace {

constexpr int kSteps = 3;  // the first two let unequal ranks fall into step

// Every class goes on to its next step at once, as training does.
class FreeRun final : public StepListener {
public:
  explicit FreeRun(std::size_t classes) : steps_(classes) {}

  void class_ended_step(int rank_class) override {
    int& steps = steps_[static_cast<std::size_t>(rank_class)];
    if (++steps < kSteps) player->start_step(rank_class);
  }
  int slowest() const { return *std::min_element(steps_.begin(), steps_.end()); }

  ProgramPlayer* player = nullptr;

private:
  std::vector<int> steps_;
};

// Without collectives nobody waits for anybody: the longest path of the slowest class.
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
  if (model.channels.empty()) return longest_path(model);
  Fluid fluid(machine.capacities, *machine.platform);
  const auto network = make_fluid_network(machine.model, fluid, *machine.platform);
  FreeRun run(model.classes.size());
  ProgramPlayer player(model, fluid, *network, 0, run);
  run.player = &player;
  for (std::size_t c = 0; c < model.classes.size(); ++c) player.start_step(static_cast<int>(c));
  Fluid::Instant last_but_one = fluid.now();
  for (int steps = 0; steps < kSteps;) {
    const Seconds next = fluid.until_next();
    if (next == forever()) break;  // a program that cannot proceed: the run itself will say so
    fluid.advance(next);
    if (run.slowest() == steps) continue;
    steps = run.slowest();
    if (steps == kSteps - 1) last_but_one = fluid.now();
  }
  return fluid.now() - last_but_one;
}

}  // namespace trainyard
