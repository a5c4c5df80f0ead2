#include "base/rng.hpp"

#include <cmath>

namespace trainyard {

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

double RandomStream::uniform() { return static_cast<double>(engine_() >> 11U) * 0x1.0p-53; }

std::uint64_t RandomStream::below(std::uint64_t bound) {
  const std::uint64_t unbiased = UINT64_MAX - UINT64_MAX % bound;
  std::uint64_t draw = engine_();
  while (draw >= unbiased) draw = engine_();
  return draw % bound;
}

double RandomStream::exponential(double mean) { return -mean * std::log1p(-uniform()); }

double RandomStream::normal(double mean, double deviation) {
  constexpr double kTwoPi = 6.283185307179586;
  const double radius = std::sqrt(-2 * std::log1p(-uniform()));
  return mean + deviation * radius * std::cos(kTwoPi * uniform());
}

RandomStream RandomSource::stream(std::string_view name) const {
  std::uint64_t hash = 1469598103934665603ULL;  // FNV-1a: stable across platforms
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return RandomStream(mix(seed_) ^ hash);
}

}  // namespace trainyard
