// What a replay decided beside what a real Slurm decided.
#pragma once

#include "schedulers/slurm/golden/scenario.hpp"
#include "schedulers/slurm/replay/replay.hpp"

#include <string>
#include <vector>

namespace trainyard::slurm {

// Each a sentence; none: the replay matches.
struct Comparison {
  std::vector<std::string> differences;
  int runs = 0;  // expected

  bool matches() const { return differences.empty(); }
};

// No golden scenario lasts longer: seconds.
constexpr double kGoldenHorizon = 3600;

Comparison compare(const GoldenScenario& scenario, const SlurmState& state,
                   const ReplayResult& result);

// A row a run, expected beside got.
std::string side_by_side(const GoldenScenario& scenario, const SlurmState& state,
                         const ReplayResult& result);

struct GoldenReplay {
  Comparison comparison;
  std::string side_by_side;
};

// Runs a scenario to its end.
GoldenReplay replay_scenario(const GoldenScenario& scenario);

}  // namespace trainyard::slurm
