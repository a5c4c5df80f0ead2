// nccl-tests' sweep over sizes, played on a platform: one collective at a time, nobody beside it.
#pragma once

#include "network/choice/algorithm_choice.hpp"
#include "study/validation/collective_timer.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct SimulatedRow {
  Bytes size;
  Seconds time;
  std::string algorithm;
  ChosenAlgorithm chosen;
  CollectiveCost cost;
  std::string label;  // "calibrated", "outside range", "assumed"
};

// `algorithm` as in AlgorithmChooser: "" for none. Throws InputError if there is none of that name,
// InfeasibleError if no algorithm does it on these ranks.
SimulatedRow simulate_row(CollectiveTimer& timer, const Calibration& calibration,
                          CollectiveKind kind, const std::string& algorithm, Bytes size);

// How far it is beyond the analytic model, in percent.
double gap_percent(const SimulatedRow& row);

// One sentence: which algorithm and why, what the best would have been of all that these GPUs can
// play, which links bound it, and how far it is from the analytic model.
std::string explain_row(CollectiveTimer& timer, const Calibration& calibration,
                        const SimulatedRow& row);

// begin, begin x factor, ... up to end.
std::vector<Bytes> sweep_sizes(Bytes begin, Bytes end, int factor);

// "8", "64K", "1M", "16G", powers of 1024 as in nccl-tests; zero if it is no size.
Bytes nccl_size(const std::string& text);

}  // namespace trainyard
