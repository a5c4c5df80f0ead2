// Independent random streams by name: drawing more failures never moves an arrival.
//
// The engine is std::mt19937_64, whose output the standard fixes; the distributions are ours,
// because the standard library's may differ between implementations and the same input must give
// the same bytes.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>

namespace trainyard {

// A 64-bit mix with good avalanche (splitmix64's finaliser, Steele et al. 2014): a stateless hash.
std::uint64_t mix(std::uint64_t x);

class RandomStream {
public:
  explicit RandomStream(std::uint64_t seed) : engine_(seed) {}
  double uniform();                              // in [0, 1)
  std::uint64_t below(std::uint64_t bound);      // in 0 .. bound-1, unbiased; bound > 0
  double exponential(double mean);               // >= 0
  double normal(double mean, double deviation);  // Box-Muller

private:
  std::mt19937_64 engine_;
};

class RandomSource {
public:
  explicit RandomSource(std::uint64_t seed) : seed_(seed) {}
  RandomStream stream(std::string_view name) const;

private:
  std::uint64_t seed_;
};

}  // namespace trainyard
