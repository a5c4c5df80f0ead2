#include "study/validation/validate.hpp"

#include "base/error.hpp"
#include "study/validation/comparison.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

namespace trainyard {

namespace {

namespace fs = std::filesystem;

// Beside the table of cases, or in the folder of logs; "" if in neither.
std::string source_of(const ValidationCase& one, const std::string& folder,
                      const std::string& logs) {
  const fs::path beside = fs::path(folder) / one.source;
  if (fs::exists(beside)) return beside.string();
  const fs::path log = fs::path(logs) / one.source;
  if (!logs.empty() && fs::exists(log)) return log.string();
  return "";
}

NcclSweep sweep_of(const ValidationCase& one, const std::string& file) {
  const NcclLog log = read_nccl_log(file);
  const auto found = std::find_if(log.sweeps.begin(), log.sweeps.end(), [&](const NcclSweep& s) {
    return one.line.empty() || std::to_string(s.line) == one.line;
  });
  if (found == log.sweeps.end())
    throw InputError({file}, "", "holds no sweep whose first row is line " + one.line);
  NcclSweep sweep = *found;
  sweep.operation = one.operation;
  settle(sweep, one.ranks, one.nodes);
  return sweep;
}

}  // namespace

ValidationReport validate(const ValidationFiles& files, const std::string& logs) {
  Comparison comparison(files.bands, files.misses);
  std::map<std::string, std::unique_ptr<Bench>> benches;
  for (const ValidationCase& one : files.cases) {
    const std::string file = source_of(one, files.folder, logs);
    if (file.empty()) {
      comparison.skip_laboratory(one);
      continue;
    }
    auto& bench = benches[one.platform];
    if (!bench) bench = std::make_unique<Bench>((fs::path(files.folder) / one.platform).string());
    comparison.add(one, sweep_of(one, file), *bench);
  }
  return comparison.report();
}

ValidationReport validate_logs(const std::vector<NcclSweep>& sweeps, const std::string& platform,
                               const std::vector<Band>& bands) {
  const Bench bench(platform);
  const std::vector<KnownMiss> none;
  Comparison comparison(bands, none);
  for (const NcclSweep& sweep : sweeps) {
    ValidationCase one;
    one.name = fs::path(sweep.file).filename().string() + ":" + std::to_string(sweep.line);
    one.source = one.name;
    try {
      comparison.add(one, sweep, bench);
    } catch (const Error& misfit) {  // a folder may hold logs of other machines
      comparison.skip(one.name + " is not applicable: " + misfit.what());
    }
  }
  return comparison.report();
}

std::size_t broken(const ValidationReport& report) {
  return static_cast<std::size_t>(std::count_if(
      report.verdicts.begin(), report.verdicts.end(),
      [](const Verdict& verdict) { return verdict.verdict.rfind("BROKEN", 0) == 0; }));
}

}  // namespace trainyard
