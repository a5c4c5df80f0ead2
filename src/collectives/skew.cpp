#include "collectives/skew.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

constexpr double kFlattest = 0, kSteepest = 1e6;
constexpr int kHalvings = 200;

double sum_of_powers(const std::vector<double>& draws, double k) {
  return std::accumulate(draws.begin(), draws.end(), 0.0,
                         [k](double sum, double u) { return sum + std::pow(u, k); });
}

}  // namespace

std::vector<Bytes> skewed_sizes(int ranks, Bytes size, double skew, RandomStream stream) {
  std::vector<double> draws;
  for (int i = 0; i < ranks; ++i) draws.push_back(1 - stream.uniform());
  const double largest = *std::max_element(draws.begin(), draws.end());
  for (double& u : draws) u /= largest;
  double low = kFlattest, high = kSteepest;  // the largest over the mean, n / sum, rises with k
  for (int i = 0; i < kHalvings; ++i) {
    const double k = (low + high) / 2;
    (ranks / sum_of_powers(draws, k) < skew ? low : high) = k;
  }
  const double sum = sum_of_powers(draws, high);
  std::vector<Bytes> sizes;
  double up_to = 0;
  std::int64_t given = 0;
  for (const double u : draws) {  // rounded as running sums: nothing is lost
    up_to += std::pow(u, high);
    const std::int64_t all =
        std::llround(static_cast<double>(size.count()) * std::min(1.0, up_to / sum));
    sizes.push_back(bytes(all - given));
    given = all;
  }
  return sizes;
}

}  // namespace trainyard
