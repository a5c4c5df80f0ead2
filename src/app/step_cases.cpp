// `trainyard calibrate --steps` and `trainyard validate --cases FILE.yaml`: measured steps of
// training.

#include "app/commands.hpp"
#include "app/outside_band.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "report/table.hpp"
#include "study/step_cases/step_fit.hpp"
#include "study/step_cases/step_report.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace trainyard {

namespace {

namespace fs = std::filesystem;

void print(const StepFit& fit) {
  Table table({{"case", Align::Left},
               {"GPUs", Align::Right},
               {"measured s", Align::Right},
               {"fitted s", Align::Right},
               {"error %", Align::Right},
               {"left out: error %", Align::Right}});
  const auto percent = [](double fraction) { return fixed(100 * fraction, 1); };
  for (const FittedStep& row : fit.rows) {
    const Seconds measured = row.one->measured;
    table.add({row.one->name, std::to_string(row.one->gpus), fixed(in_seconds(measured), 3),
               fixed(in_seconds(row.predicted), 3), percent(row.predicted / measured - 1),
               row.left_out > Seconds(0) ? percent(row.left_out / measured - 1) : "-"});
  }
  std::cout << table.text() << '\n' << describe(fit.efficiency) << '\n';
}

void print(const StepReport& report) {
  std::cout << report.set << ": " << report.source << '\n' << report.efficiency << "\n\n";
  Table rows({{"case", Align::Left},
              {"series", Align::Left},
              {"GPUs", Align::Right},
              {"label", Align::Left},
              {"measured s", Align::Right},
              {"simulated s", Align::Right},
              {"error %", Align::Right}});
  for (const ComparedStep& row : report.rows) rows.add(step_cells(row));
  std::cout << rows.text() << '\n';
  Table verdicts({{"claim", Align::Left},
                  {"of", Align::Left},
                  {"label", Align::Left},
                  {"cases", Align::Right},
                  {"error %", Align::Right},
                  {"band %", Align::Right},
                  {"", Align::Left}});
  for (const StepVerdict& verdict : report.verdicts)
    if (verdict.verdict != "no claim") verdicts.add(step_verdict_cells(verdict));
  std::cout << verdicts.text();
}

void write(const std::string& folder, const StepReport& report) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError({folder}, "", "cannot be made: " + error.message());
  const auto file = [&](const char* name, const std::string& text) {
    write_file_whole((fs::path(folder) / name).string(), [&](std::ostream& out) { out << text; });
  };
  file("steps.csv", steps_csv(report));
  file("steps.md", steps_markdown(report));
}

}  // namespace

void calibrate_steps_command(const CalibrateOptions& options) {
  const StepCases cases = read_step_cases(options.steps);
  StepPredictor predictor;
  const StepFit fit = fit_steps(cases, predictor);
  print(fit);
  if (options.output.empty()) return;
  write_file_whole(options.output, [&](std::ostream& out) { out << to_csv({fit.efficiency}); });
  std::cout << "written to " << options.output << "; a case file names it by 'efficiency'\n";
}

void validate_steps_command(const ValidateOptions& options) {
  const StepCases cases = read_step_cases(options.cases);
  StepPredictor predictor;
  const std::vector<KnownMiss> misses =
      cases.misses.empty() ? std::vector<KnownMiss>() : read_known_misses(cases.misses);
  const StepReport report = compare_steps(cases, misses, predictor);
  print(report);
  if (!options.output.empty()) write(options.output, report);
  const auto wrong = std::count_if(report.verdicts.begin(), report.verdicts.end(),
                                   [](const StepVerdict& verdict) { return verdict.broken(); });
  if (wrong > 0) throw OutsideBand(std::to_string(wrong) + " claims are outside their bands");
}

}  // namespace trainyard
