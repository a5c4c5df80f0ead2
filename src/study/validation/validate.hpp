// Every case against the simulator, region by region, each with its band and its label.
#pragma once

#include "study/validation/cases.hpp"

#include <string>
#include <vector>

namespace trainyard {

// One measured size.
struct ComparedRow {
  std::string name, region, label;
  Bytes size;
  Seconds expected, got;
};

// A region of sizes of one case, of one label.
struct Verdict {
  std::string name, region, label;  // "calibrated", "held out", "outside range", "assumed"
  Errors errors;
  Band band;
  bool incomplete = false;  // its envelope lacks laboratories
  std::string verdict;      // "ok", "known miss", "BROKEN", "report only"
  std::string reason;       // of a known miss
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

// One line each: rows as CSV, verdicts as Markdown table.
std::string rows_csv(const ValidationReport& report);
std::string verdicts_csv(const ValidationReport& report);
std::string verdicts_markdown(const ValidationReport& report);

}  // namespace trainyard
