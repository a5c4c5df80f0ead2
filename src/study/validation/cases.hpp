// What `validate` compares with: tables in CSV files, the repository's own or a user's.
//
//   cases.csv         case, platform, source (a log beside this file or in the folder of logs),
//   line
//                     of the log's first row (empty: the first sweep), operation, ranks, nodes, and
//                     which sizes the platform's calibration was fitted on: all, every_other, none;
//                     assumed: the platform is to be taken without its calibration
//   bands.csv         region, nodes (one, several), which (calibrated, assumed), gpu (* for any),
//                     from_B, to_B, the largest mean and maximum error (- for any), and
//                     envelope: `or`, a size is also held if the simulated time lies between those
//                     of the laboratories; `only`, it must; `no`
//   known_misses.csv  case, region, label, mean and maximum error as found (raw), reason
#pragma once

#include "study/validation/calibrate.hpp"

#include <optional>
#include <string>
#include <vector>

namespace trainyard {

struct ValidationCase {
  std::string name, platform, source, line;
  const NcclOperation* operation = nullptr;
  int ranks = 0, nodes = 0;
  bool fitted = false;   // false: the calibration never saw it
  bool assumed = false;  // without calibration
  FitSizes sizes = FitSizes::All;
};

enum class EnvelopeRule { None, Or, Only };

struct Band {
  std::string region, gpu;
  bool several_nodes = false, assumed = false;
  Bytes from, to;
  double mean = 0, max = 0;  // relative; infinite: none
  EnvelopeRule envelope = EnvelopeRule::None;
};

struct KnownMiss {
  std::string name, region, label;
  double mean = 0, max = 0;  // relative, as found
  std::string reason;
};

struct ValidationFiles {
  std::string folder;
  std::vector<ValidationCase> cases;
  std::vector<Band> bands;
  std::vector<KnownMiss> misses;
};

std::vector<KnownMiss> read_known_misses(const std::string& file);

// `cases_file` names the cases; the other tables stand beside it. Throws InputError.
ValidationFiles read_validation_files(const std::string& cases_file);

}  // namespace trainyard
