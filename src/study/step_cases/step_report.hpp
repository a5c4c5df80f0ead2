// Measured steps against the simulator: case by case, series by series, and the set as a whole.
#pragma once

#include "study/step_cases/step_predictor.hpp"
#include "study/validation/cases.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct ComparedStep {
  const StepCase* one = nullptr;
  std::string label;  // "calibrated", "predicted"; "assumed": with no calibration at all
  double measured = 0, predicted = 0;  // seconds, or a ratio to another case
  double error() const { return predicted / measured - 1; }
};

// A claim: of a case, of a series, of the set.
struct StepVerdict {
  std::string name;
  std::string region;  // "step", "ratio", "mean", "rank" (1 - Spearman's)
  std::string label;
  int count = 0;     // cases
  double error = 0;  // absolute
  double band = kNoBand;
  std::string verdict;  // "ok", "known miss", "BROKEN", "no claim"
  std::string reason;   // of a known miss; or what is assumed
  bool broken() const { return verdict.rfind("BROKEN", 0) == 0; }
};

struct StepReport {
  std::string set, source, efficiency;  // efficiency: in words, with its label
  std::vector<ComparedStep> rows;       // refer to the cases
  std::vector<StepVerdict> verdicts;
};

// Plays every case with the set's efficiency. `misses` may be empty.
StepReport compare_steps(const StepCases& cases, const std::vector<KnownMiss>& misses,
                         StepPredictor& predictor);

// Of two equally long lists; ties share their ranks.
double spearman(const std::vector<double>& a, const std::vector<double>& b);

std::string steps_csv(const StepReport& report);
std::vector<std::string> step_cells(const ComparedStep& row);
std::vector<std::string> step_verdict_cells(const StepVerdict& verdict);
std::string steps_markdown(const StepReport& report);

}  // namespace trainyard
