// Training with a rank an actor: what folding must never be needed for.
#include "platforms/xml.hpp"
#include "rows/experiments.hpp"
#include "rows/row.hpp"

namespace trainyard::bench {

namespace {

// 10 steps of 24 layers: 2 ms forward, 4 ms backward, then a 100 MiB ring all-reduce a layer, which
// overlaps the rest of the backward pass, one at a time.
Outcome train_256_actors() {
  constexpr int kRanks = 256, kSteps = 10, kLayers = 24;
  Experiment experiment = on_platform(parse_platform("one_switch.xml", single_switch_xml(kRanks)));
  TrainingPlan plan;
  plan.name = "24 layers";
  plan.layers = kLayers;
  plan.forward = milliseconds(2);
  plan.backward = milliseconds(4);
  plan.gradient_per_layer = mebibytes(100);
  plan.all_reduce = "ring";
  experiment.plans = {plan};
  experiment.attempts.fold = false;
  add_job(experiment, kRanks, kSteps);

  const Played played = play(experiment);
  Outcome outcome;
  outcome.simulated = duration_of(played.log, 0);
  outcome.events = played.log.events;
  // The all-reduces take longer than the layers: the first waits for the forward pass and one layer
  // back, the others for each other.
  const Seconds ring = 2 * (kRanks - 1) * microseconds(1) +
                       2 * (kRanks - 1) * (mebibytes(100) / gigabytes_per_second(50)) / kRanks;
  const Seconds step = kLayers * plan.forward + plan.backward + kLayers * ring;
  expect_near("the time", in_seconds(outcome.simulated), in_seconds(kSteps * step), 1e-4);
  expect_near("the time", in_seconds(outcome.simulated), 1.6451, 1e-4);
  return outcome;
}

}  // namespace

std::vector<Row> training_rows() {
  return {{"train_256", "10 steps of 24 layers, 256 rank actors, one switch", 1.0, 0,
           "ASTRA-sim 41-59 s; SMPI 148 s", train_256_actors, nullptr}};
}

}  // namespace trainyard::bench
