// Efficiencies from measured steps: those that a set of cases lets be fitted, on its rows with the
// role `calibrate`.
//
// Least squares of the logarithms of predicted over measured, with each efficiency held near its
// usual value as if by a measurement of one digit: what the rows say nothing of stays where it was.
#pragma once

#include "study/step_cases/step_predictor.hpp"
#include "workload/compute/efficiency.hpp"

#include <string>
#include <vector>

namespace trainyard {

// Members of Efficiency that may be fitted: "gemm", "gemm_fp8", "attention", "hbm", "kernel".
const std::vector<std::string>& fittable_efficiencies();
bool is_fittable(const std::string& name);

struct FittedStep {
  const StepCase* one = nullptr;
  Seconds predicted;
  Seconds left_out;  // predicted by a fit to the other rows; zero if there is no other
};

struct StepFit {
  Efficiency efficiency;
  std::vector<FittedStep> rows;
};

// Throws InputError if no row has the role `calibrate`, or if they are on GPUs of several types.
StepFit fit_steps(const StepCases& cases, StepPredictor& predictor);

}  // namespace trainyard
