#include "workload/compute/gemm.hpp"

namespace trainyard {

namespace {

// FLOPs for each element that a tile loads, but for a factor: with more of them, more of the time
// goes to multiplying. At kHalf a tile reaches half of what an infinite one would (assumed: 64 x 64
// reaches 0.70 of 256 x 128).
double intensity(Tile tile) {
  return static_cast<double>(tile.rows) * tile.columns / (tile.rows + tile.columns);
}
constexpr double kHalf = 30;

std::int64_t parts(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

}  // namespace

double tile_rate(Tile tile) {
  const auto reached = [](double value) { return value / (value + kHalf); };
  return reached(intensity(tile)) / reached(intensity(kTiles.front()));
}

std::int64_t tiles_of(const Kernel& gemm, Tile tile) {
  return gemm.batch * parts(gemm.m, tile.rows) * parts(gemm.n, tile.columns);
}

std::int64_t waves_of(std::int64_t tiles, int sms) { return parts(tiles, sms); }

GemmPlan plan_gemm(const Kernel& gemm, int sms, double fill) {
  GemmPlan best;
  for (const Tile tile : kTiles) {
    GemmPlan plan{tile, tiles_of(gemm, tile), 0, 0};
    plan.waves = waves_of(plan.tiles, sms);
    const double elements = static_cast<double>(tile.rows) * tile.columns;
    plan.flops = static_cast<double>(plan.waves * sms) * 2 * elements *
                 (static_cast<double>(gemm.k) + fill) / tile_rate(tile);
    if (best.waves == 0 || plan.flops < best.flops) best = plan;
  }
  return best;
}

}  // namespace trainyard
