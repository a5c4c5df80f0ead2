// How well a matrix multiplication fills a GPU: its output is cut into tiles, and the tiles run in
// waves of one a streaming multiprocessor (SM).
//
// A last wave that is not full takes as long as a full one (wave quantisation), an edge tile as
// long as a whole one (tile quantisation). A kernel library has tiles of several sizes and takes
// the one that ends first; small tiles fill waves better and load more bytes for each FLOP.
#pragma once

#include "workload/steps/kernel.hpp"

#include <array>
#include <cstdint>

namespace trainyard {

struct Tile {
  int rows = 0, columns = 0;
};

// cuBLAS's own sizes: NVIDIA, "Matrix Multiplication Background User's Guide", section 3.
inline constexpr std::array<Tile, 8> kTiles = {
    {{256, 128}, {128, 256}, {128, 128}, {256, 64}, {64, 256}, {128, 64}, {64, 128}, {64, 64}}};

// Of the largest tile's rate, what this tile reaches in a full wave.
double tile_rate(Tile tile);

std::int64_t tiles_of(const Kernel& gemm, Tile tile);
std::int64_t waves_of(std::int64_t tiles, int sms);

struct GemmPlan {
  Tile tile;
  std::int64_t tiles = 0, waves = 0;
  double flops = 0;  // what a full GPU does in the same time with the largest tile
};

// With the tile that ends first. `fill`: how many steps of k a wave's start and end cost.
GemmPlan plan_gemm(const Kernel& gemm, int sms, double fill);

}  // namespace trainyard
