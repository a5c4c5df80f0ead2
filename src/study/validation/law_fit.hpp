// Fits a collective's law to measured times: least sum of absolute relative errors, every
// coefficient non-negative, the efficiency at most 1. Deterministic and in closed form: weighted
// least squares over every subset of the coefficients, reweighted until the absolute errors count.
#pragma once

#include "network/calibrated.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct Sample {
  Bytes size;
  int ranks = 0, nodes = 0;
  Uncalibrated known;
  Seconds measured;
  std::string source;  // the log it is from
};

// base, per_step, fill and efficiency. Samples of one number of rounds cannot tell steps from
// start-up: then a step takes `assumed_step`, or less if there is no time for it. Needs 3 samples.
CollectiveLaw fit_law(const std::vector<Sample>& samples, Seconds assumed_step);

double relative_error(const CollectiveLaw& law, const Sample& sample);  // signed

struct Errors {
  double mean = 0, max = 0;  // absolute values
  int count = 0;
};
void add(double signed_error, Errors& errors);  // `mean` is the running mean

Errors errors_of(const CollectiveLaw& law, const std::vector<Sample>& samples);
// Each sample predicted by a fit to all the others.
Errors leave_one_out(const std::vector<Sample>& samples, Seconds assumed_step);

}  // namespace trainyard
