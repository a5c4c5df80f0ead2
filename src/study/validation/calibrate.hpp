// From measured sweeps to a calibration.
//
// Samples are grouped by collective, class of nodes (one, two, more) and regime: below 1 MiB it is
// start-up and host that are measured, from there on protocols and wire. For each group every
// algorithm that NCCL has for it is fitted, and the one whose left-out sizes are predicted best is
// kept: a log does not say which one NCCL took.
#pragma once

#include "study/validation/law_fit.hpp"
#include "workload/importers/nccl/sweep.hpp"

#include <string>
#include <vector>

namespace trainyard {

enum class FitSizes { All, EveryOther };  // EveryOther: powers of four; the rest is held out

// Whether a size takes part in the fit.
bool takes_part(Bytes size, FitSizes sizes);

struct CalibrationPoint {
  CollectiveKind kind;
  std::string algorithm;
  Sample sample;
  double fitted_s = 0;
  bool held_out = false;
};

struct CalibrationResult {
  Calibration calibration;
  std::vector<CalibrationPoint> points;
  std::vector<std::string> warnings;
};

// `sweeps` must be settled. Throws InfeasibleError if a sweep does not fit on the platform.
CalibrationResult calibrate(const std::vector<NcclSweep>& sweeps, const Platform& platform,
                            const Routing& routing, FitSizes sizes);

// A sweep's nodes and GPUs on each, where it does not say: as few nodes as hold its ranks.
struct SweepShape {
  int nodes = 1, gpus_per_node = 1;
};
SweepShape shape_of(const NcclSweep& sweep, const Platform& platform);

}  // namespace trainyard
