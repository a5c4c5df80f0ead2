#include "actors/settling.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

constexpr double kEqualSteps = 1e-6;    // of a job alone on its links
constexpr std::size_t kAloneSteps = 3;  // the first may still lack the company of the one before it

}  // namespace

double tapered_mean(const double* values, std::size_t count) {
  constexpr double kTwoPi = 6.283185307179586;
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double position = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double weight = 0.5 - 0.5 * std::cos(kTwoPi * position);
    sum += weight * values[i];
    weights += weight;
  }
  return sum / weights;
}

bool repeats(const std::vector<double>& steps) {
  return steps.size() >= kAloneSteps &&
         std::abs(steps.back() - steps[steps.size() - 2]) <= kEqualSteps * steps.back();
}

double spread_of_means(const std::vector<double>& steps, double mean) {
  const std::size_t half = steps.size() / 2;
  if (half == 0) return 1;
  const double* end = steps.data() + steps.size();
  const double first = tapered_mean(end - 2 * half, half), last = tapered_mean(end - half, half),
               middle = tapered_mean(end - half - half / 2, half);
  const auto [least, most] = std::minmax({first, middle, last});
  return (most - least) / mean;
}

bool means_agree(const std::vector<double>& steps, double mean) {
  return steps.size() >= kSettlingSteps && spread_of_means(steps, mean) <= kAgreement;
}

}  // namespace trainyard
