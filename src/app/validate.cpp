// `trainyard validate`: how far the simulator is from what others measured or proved.

#include "study/validation/validate.hpp"

#include "app/commands.hpp"
#include "app/outside_band.hpp"
#include "app/terminal.hpp"
#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "report/table.hpp"
#include "study/validation/oracles/oracles.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace trainyard {

namespace {

namespace fs = std::filesystem;

constexpr const char* kCases = "experiments/validation/cases.csv";

// The user's, or that of the repository: here, or above the program that runs.
std::string table_of_cases(const ValidateOptions& options) {
  if (!options.cases.empty()) return options.cases;
  std::error_code error;
  fs::path folder = fs::current_path(error);
  if (fs::exists(folder / kCases)) return (fs::path(".") / kCases).lexically_normal().string();
  folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (; !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / kCases)) return (folder / kCases).string();
    if (folder == folder.root_path()) break;
  }
  throw InputError({}, "cases",
                   std::string("no '") + kCases +
                       "' here or above the program; name a table of cases by --cases");
}

std::string folder_of_logs(const ValidateOptions& options) {
  if (!options.logs.empty()) return options.logs;
  const char* data = std::getenv("TRAINYARD_DATA");
  return data ? (fs::path(data) / "data/collectives").string() : "";
}

std::vector<NcclSweep> all_sweeps(const std::string& folder) {
  std::vector<std::string> files;
  if (!fs::is_directory(folder)) throw InputError({folder}, "", "is no folder of logs");
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  std::vector<NcclSweep> sweeps;
  for (const std::string& file : files) {
    try {
      for (NcclSweep& sweep : read_nccl_log(file).sweeps) {
        settle(sweep, 0, 0);
        sweeps.push_back(std::move(sweep));
      }
    } catch (const InputError& problem) {
      std::cerr << "skipped: " << problem.what() << '\n';
    }
  }
  if (sweeps.empty()) throw InputError({folder}, "", "holds no log of nccl-tests");
  return sweeps;
}

void print(const OracleResults& oracles) {
  Table table({{"part", Align::Left},
               {"case", Align::Left},
               {"unit", Align::Left},
               {"expected", Align::Right},
               {"got", Align::Right},
               {"band", Align::Right},
               {"label", Align::Left},
               {"mark", Align::Left},
               {"source", Align::Left},
               {"", Align::Left}});
  for (const OracleResult& oracle : oracles) table.add(oracle_cells(oracle));
  std::cout << table.text(output_width()) << '\n';
}

void print(const ValidationReport& report) {
  Table table({{"measured case", Align::Left},
               {"sizes", Align::Left},
               {"label", Align::Left},
               {"count", Align::Right},
               {"MAPE %", Align::Right},
               {"max %", Align::Right},
               {"inside", Align::Right},
               {"band: MAPE / max %", Align::Left},
               {"", Align::Left}});
  for (const Verdict& verdict : report.verdicts) table.add(verdict_cells(verdict));
  std::cout << table.text(output_width());
  for (const std::string& skipped : report.skipped)
    std::cout << wrapped("SKIPPED " + skipped, "    ", output_width());
  std::cout << report.verdicts.size() << " regions of measured cases compared, "
            << report.skipped.size() << " cases skipped\n";
}

// As a page: what it comes to first, then every case.
std::string page(const ValidationFiles& files, const ValidationReport& report,
                 const OracleResults& oracles) {
  return "## By system: MAPE / maximum error, %, from 1 MiB on\n\n" + systems_markdown(report) +
         "\n## Known misses\n\n" + known_misses_markdown(files.misses) + "\n## Measured cases\n\n" +
         verdicts_markdown(report) + "\n## Closed forms, other simulators, findings\n\n" +
         oracles_markdown(oracles);
}

void write(const std::string& folder, const ValidationFiles& files, const ValidationReport& report,
           const OracleResults& oracles) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError({folder}, "", "cannot be made: " + error.message());
  const auto file = [&](const char* name, const std::string& text) {
    write_file_whole((fs::path(folder) / name).string(), [&](std::ostream& out) { out << text; });
  };
  file("sizes.csv", rows_csv(report));
  file("cases.csv", verdicts_csv(report));
  file("exact.csv", oracles_csv(oracles));
  file("validation.md", page(files, report, oracles));
}

}  // namespace

void validate_command(const ValidateOptions& options) {
  const ValidationFiles files = read_validation_files(table_of_cases(options));
  const std::string logs = folder_of_logs(options);
  ValidationReport report;
  OracleResults oracles;
  if (!options.platform.empty()) {
    if (logs.empty()) throw InputError({}, "logs", "is needed with --platform");
    report = validate_logs(all_sweeps(logs), options.platform, files.bands);
  } else {
    oracles = run_oracles();
    excuse(oracles, files.misses);
    report = validate(files, logs);
  }
  if (!options.output.empty()) write(options.output, files, report, oracles);
  if (options.platform.empty()) print(oracles);
  print(report);
  const auto wrong = static_cast<std::size_t>(
      std::count_if(oracles.begin(), oracles.end(), [](const auto& o) { return !o.held(); }));
  if (wrong + broken(report) > 0)
    throw OutsideBand(std::to_string(wrong + broken(report)) + " cases are outside their bands");
}

}  // namespace trainyard
