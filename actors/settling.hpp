// When the mean step of a job is known: a judgement on its last steps, and nothing else.
//
// Means are tapered (Hann window): a plain mean over n steps of a quasi-periodic sequence errs by
// 1/n, because the window cuts the sequence at arbitrary phases; a tapered one errs by about 1/n^2.
#pragma once

#include <cstddef>
#include <vector>

namespace trainyard {

constexpr std::size_t kSettlingSteps = 100;  // two windows: fewer are never enough

// The mean under a Hann window: the first and last values weigh almost nothing.
double tapered_mean(const double* values, std::size_t count);

// The last two steps are the same: of a job alone on its links, all that follow will be.
bool repeats(const std::vector<double>& steps);

constexpr double kAgreement = 0.005;

// By how much the means of three overlapping windows (halves) differ, relative to `mean`: they
// agree up to kAgreement.
double spread_of_means(const std::vector<double>& steps, double mean);
bool means_agree(const std::vector<double>& steps, double mean);

}  // namespace trainyard
