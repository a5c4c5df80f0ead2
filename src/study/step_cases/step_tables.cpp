// Steps compared, as CSV and as Markdown.
#include "base/text.hpp"
#include "study/step_cases/step_report.hpp"

#include <cmath>

namespace trainyard {

namespace {

std::string percent(double fraction) { return fixed(100 * fraction, 1); }

std::string line_of(const std::vector<std::string>& cells) {
  return "| " + join(cells, " | ") + " |\n";
}

}  // namespace

std::vector<std::string> step_cells(const ComparedStep& row) {
  return {row.one->name,          row.one->series,         std::to_string(row.one->gpus), row.label,
          fixed(row.measured, 3), fixed(row.predicted, 3), percent(row.error())};
}

std::vector<std::string> step_verdict_cells(const StepVerdict& verdict) {
  return {verdict.name,
          verdict.region,
          verdict.label,
          std::to_string(verdict.count),
          percent(verdict.error),
          std::isinf(verdict.band) ? "-" : percent(verdict.band),
          verdict.verdict + (verdict.reason.empty() ? "" : ": " + verdict.reason)};
}

std::string steps_csv(const StepReport& report) {
  std::string text = "set,case,series,gpus,label,measured,predicted,error_pct\n";
  for (const ComparedStep& row : report.rows)
    text += report.set + "," + join(step_cells(row), ",") + "\n";
  return text;
}

std::string steps_markdown(const StepReport& report) {
  std::string text = "### " + report.set + "\n\n" + report.source + ". " + report.efficiency +
                     ".\n\n| case | claim | label | cases | error % | band % | |\n" +
                     "|---|---|---|---:|---:|---:|---|\n";
  for (const StepVerdict& verdict : report.verdicts) text += line_of(step_verdict_cells(verdict));
  text += "\n| case | series | GPUs | label | measured s | simulated s | error % |\n" +
          std::string("|---|---|---:|---|---:|---:|---:|\n");
  for (const ComparedStep& row : report.rows) text += line_of(step_cells(row));
  return text;
}

}  // namespace trainyard
