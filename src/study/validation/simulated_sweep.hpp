// nccl-tests' sweep over sizes, played on a platform: one collective at a time, nobody beside it.
#pragma once

#include "study/validation/collective_timer.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct SimulatedRow {
  Bytes size;
  Seconds time;
  std::string algorithm;
  CollectiveCost cost;
  std::string label;  // "calibrated", "outside range", "assumed"
};

// `algorithm` "" takes the calibration's, or else the registry's default. Throws InputError if
// there is none of that name, InfeasibleError if it does not apply to these ranks.
SimulatedRow simulate_row(CollectiveTimer& timer, const Calibration& calibration,
                          CollectiveKind kind, const std::string& algorithm, Bytes size);

// begin, begin x factor, ... up to end.
std::vector<Bytes> sweep_sizes(Bytes begin, Bytes end, int factor);

// "8", "64K", "1M", "16G", powers of 1024 as in nccl-tests; zero if it is no size.
Bytes nccl_size(const std::string& text);

}  // namespace trainyard
