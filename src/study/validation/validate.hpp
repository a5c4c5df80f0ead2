// Every case against the simulator, region by region, each with its band and its label.
#pragma once

#include "study/validation/cases.hpp"

#include <string>
#include <vector>

namespace trainyard {

// One measured size.
struct ComparedRow {
  std::string system, name, region, label;  // system: platform and operation
  Bytes size;
  Seconds expected, got;
};

// A region of sizes of one case, of one label.
struct Verdict {
  // "calibrated", "held out", "other laboratory", "outside range", "assumed"
  std::string name, region, label;
  Errors raw;      // against the case's own measurement
  Errors counted;  // the same, but nothing where the envelope holds the simulated time
  int with_envelope = 0, inside = 0;  // sizes
  Band band;
  bool incomplete = false;  // its envelope lacks laboratories
  std::string verdict;      // "ok", "known miss", "BROKEN", "no claim"
  std::string reason;       // of a known miss, or why there is no claim
};

struct ValidationReport {
  std::vector<ComparedRow> rows;
  std::vector<Verdict> verdicts;
  std::vector<std::string> skipped;  // "case: why"
};

// `logs` is the folder of the logs, "" if there is none: cases that need it are skipped.
ValidationReport validate(const ValidationFiles& files, const std::string& logs);

// A user's own log on a platform: every sweep it holds, as cases named after it.
ValidationReport validate_logs(const std::vector<NcclSweep>& sweeps, const std::string& platform,
                               const std::vector<Band>& bands);

std::size_t broken(const ValidationReport& report);

// One line each. Cells of a verdict: case, sizes, label, count, MAPE %, max % (raw), how many sizes
// are inside the laboratories' envelope, the band, the verdict.
std::string rows_csv(const ValidationReport& report);
std::vector<std::string> verdict_cells(const Verdict& verdict);
std::string verdicts_csv(const ValidationReport& report);
// From 1 MiB on: MAPE / max of each label, system by system.
std::string systems_markdown(const ValidationReport& report);
std::string known_misses_markdown(const std::vector<KnownMiss>& misses);
std::string verdicts_markdown(const ValidationReport& report);

}  // namespace trainyard
