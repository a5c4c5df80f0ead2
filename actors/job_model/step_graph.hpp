// The dependency graph of one rank's step while it is simplified: from a Program, some of whose
// collectives have turned out to take a constant time.
//
// INVARIANT: simplifying never changes when a collective starts or the step ends.
#pragma once

#include "actors/step_model.hpp"
#include "workload/steps/job_program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace trainyard {

// A collective of the program that other ranks or jobs can delay: the n-th on its slot.
struct SlotUse {
  int slot = -1, n = 0;
};

// Operations in the order of the program, delays merged. `channel` of each is an index into `uses`,
// `resident` one into `constant`.
struct ClassSteps {
  std::vector<PlayOperation> operations;
  std::vector<SlotUse> uses;
  std::vector<SlotUse> constant;  // collectives inside delays
  std::vector<OperationLabel> labels;
};

// How long the n-th collective on a slot always takes; nothing where that depends on others.
using ConstantTimes = std::vector<std::vector<std::optional<double>>>;  // by slot, then n

// Which delays become one: none, so that every operation of the program stays itself; those that
// compute; those that compute and collectives of constant time beside which nothing is computed; or
// all, where no collective slows computing down.
enum class Merging { Off, Computing, Serial, On };

// `slowdown` stretches what the rank computes. The program has no cycle.
struct StepGraphOptions {
  double slowdown = 1;
  Merging merging = Merging::On;
};
ClassSteps steps_of(const Program& program, const std::vector<GroupSlot>& slots,
                    const ConstantTimes& constant, const StepGraphOptions& options);

}  // namespace trainyard
