#include "collectives/tuner/constants.hpp"

namespace trainyard::nccl {
namespace {

using PerAlgorithm = std::array<PerProtocol, 7>;  // Tree, Ring, CollNetDirect/Chain, NVLS/Tree, PAT

const PerAlgorithm kBase = {
    {{6.8, 14, 8.4}, {6.6, 14, 8.4}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {8, 8, 8}}};

const std::array<PerAlgorithm, 3> kHardware = {
    {{{{.6, 1.25, 4}, {.6, 1.9, 3.4}, {0, 0, 3.7}, {0, 0, 2.8}, {0, 0, 25}, {0, 0, 25}, {0, 0, 4}}},
     {{{1, 1.9, 4}, {1, 2.5, 5.7}, {0, 0, 3.7}, {0, 0, 2.8}, {0, 0, 0}, {0, 0, 0}, {0, 0, 4}}},
     {{{5, 8.5, 14}, {2.7, 4, 14}, {0, 0, 31}, {0, 0, 30}, {0, 0, 18}, {0, 0, 20.9}, {0, 0, 14}}}}};

// Volta, Ampere, Hopper, Blackwell.
const std::array<Generation, 4> kGenerations = {{
    {{39, 39, 20.4}, {20, 20, 20}, {20, 20, 20}, {26.5, 18.5, 10}, {26.5, 18.5, 10}, 0},
    {{87.7, 22.5, 19}, {20, 20, 20}, {20, 20, 20}, {24, 23.6, 17.8}, {24, 23.6, 17.8}, 0},
    {{141, 45, 35}, {36.7, 36.7, 36.7}, {36.7, 36.7, 29}, {38.7, 41.4, 36}, {0, 57.7, 45.5}, .85},
    {{282, 90, 70}, {40, 40, 40}, {55.6, 31.67, 20}, {70, 42.8, 24}, {0, 96, 80}, .74},
}};

const std::array<std::array<double, kTreeCorrections>, 3> kTreeCorrection = {
    {{1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
     {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1},
     {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5,
      .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9}}};

std::size_t index(NcclAlgorithm algorithm) { return static_cast<std::size_t>(algorithm); }

}  // namespace

const PerProtocol& base_latency(NcclAlgorithm algorithm) { return kBase[index(algorithm)]; }

const PerProtocol& hardware_latency(Hardware hardware, NcclAlgorithm algorithm) {
  return kHardware[static_cast<std::size_t>(hardware)][index(algorithm)];
}

double posting_overhead(CpuVendor cpu) { return cpu == CpuVendor::Amd ? 2 : 1; }

const Generation& generation(int sm) {
  if (sm >= 100) return kGenerations[3];
  if (sm >= 90) return kGenerations[2];
  return kGenerations[sm >= 80 ? 1 : 0];
}

double ll_limit(int sm, CpuVendor cpu, int nodes) {
  if (nodes == 1) return generation(sm).ll.one;
  const bool amd = cpu == CpuVendor::Amd || cpu == CpuVendor::Mixed;
  return kGenerations[amd ? 1 : 0].ll.at(nodes);
}

double tree_correction(NcclProtocol protocol, int index) {
  return kTreeCorrection[static_cast<std::size_t>(protocol)][static_cast<std::size_t>(index)];
}

const std::vector<double>& intra_speeds(int sm) {
  static const std::vector<double> before = {40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3};
  static const std::vector<double> hopper = {60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3};
  static const std::vector<double> blackwell = {90, 80, 70, 60, 50, 45, 40, 30, 24, 20, 19, 18};
  if (sm >= 100) return blackwell;
  return sm >= 90 ? hopper : before;
}

const std::vector<double>& inter_speeds(int sm) {
  static const std::vector<double> before = {48, 30, 28, 24, 20, 18,  15,  12,  10, 9,
                                             7,  6,  5,  4,  3,  2.4, 1.2, .24, .12};
  static const std::vector<double> hopper = {48, 45, 42, 40, 30,  24,  22,  20, 17.5,
                                             15, 12, 6,  3,  2.4, 1.2, .24, .12};
  static const std::vector<double> blackwell = {96, 86,   80, 48, 45.1, 42, 40,  30,  24,  22,
                                                20, 17.5, 15, 12, 6,    3,  2.4, 1.2, .24, .12};
  if (sm >= 100) return blackwell;
  return sm >= 90 ? hopper : before;
}

}  // namespace trainyard::nccl
