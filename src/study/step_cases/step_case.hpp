// Measured steps of training, as case files: a YAML file a set, a line a measurement.
//
//   set: Megatron
//   source: arXiv 2205.05198, table 5
//   efficiency: efficiency/a100_megatron.csv  # that `calibrate --steps` wrote; none: the usual one
//   fit: [gemm, hbm]                          # what it may fit
//   misses: ../known_misses.csv
//   bands: {mean: 0.1, series_mean: 0.1, rank: 0.8}
//   groups:
//     - platform: ../../../platforms/dgx_a100_x1.xml
//       layout: {tensor: 8}
//       cases:
//         - {name: 22B full, model: ../../models/megatron_22b.yaml, gpus: 8, role: calibrate,
//            layout: {recompute: full, micro_batch: 4, global_batch: 4}, step: 1.42 s}
//
// What a group says (platform, model, gpus, layout, series, band, note) holds for those of its
// cases that do not say it themselves; layouts are joined key by key. Files are relative to the
// case file.
#pragma once

#include "workload/models/model_spec.hpp"
#include "workload/steps/layout.hpp"

#include <limits>
#include <string>
#include <vector>

namespace trainyard {

constexpr double kNoBand = std::numeric_limits<double>::infinity();

enum class CaseRole { Calibrate, Predict };

struct StepCase {
  std::string name;
  std::string series;    // errors and ranks are also counted over those of one series
  std::string platform;  // a file
  ModelSpec model;
  Layout layout;
  int gpus = 1;
  Seconds measured;  // a step
  CaseRole role = CaseRole::Predict;
  int relative_to = -1;   // of the set: then the ratio of the two is what is compared
  double band = kNoBand;  // relative error
  std::string note;       // what is assumed about it; "" if nothing
  Place place;
};

struct StepBands {
  double mean = kNoBand;         // of the absolute relative errors of all that are predicted
  double series_mean = kNoBand;  // of each series
  double rank = -1;              // Spearman's, within each series
};

struct StepCases {
  std::string file, set, source;
  std::string efficiency, misses;  // files; "": none
  std::vector<std::string> fit;    // members of Efficiency
  StepBands bands;
  std::vector<StepCase> cases;
};

// Throws InputError.
StepCases read_step_cases(const std::string& file);

// Model FLOPs of a token, forward and backward, without recomputation: 6 for each parameter that it
// passes but the embedding's, and 12 x layers x heads' width x sequence (PaLM, arXiv 2204.02311,
// appendix B: the masked half counts).
double model_flops_per_token(const ModelSpec& model, int sequence);

}  // namespace trainyard
