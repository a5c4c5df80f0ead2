// A validation as CSV and as Markdown.
#include "base/text.hpp"
#include "study/validation/validate.hpp"

#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace trainyard {

namespace {

std::string percent(double fraction) { return fixed(100 * fraction, 1); }

}  // namespace

std::string rows_csv(const ValidationReport& report) {
  std::string text = "case,region,label,size_B,expected_us,got_us,error_pct\n";
  for (const ComparedRow& row : report.rows)
    text += join({row.name, row.region, row.label, std::to_string(row.size.count()),
                  fixed(in_microseconds(row.expected), 3), fixed(in_microseconds(row.got), 3),
                  fixed(100 * (row.got / row.expected - 1), 2)},
                 ",") +
            "\n";
  return text;
}

std::string limits_of(const Band& band) {
  if (band.envelope == EnvelopeRule::Only) return "inside the envelope";
  const auto limit = [](double fraction) {
    return std::isinf(fraction) ? std::string("-") : percent(fraction);
  };
  if (std::isinf(band.mean) && std::isinf(band.max)) return "none";
  return limit(band.mean) + " / " + limit(band.max) +
         (band.envelope == EnvelopeRule::Or ? " or inside" : "");
}

std::string inside_of(const Verdict& verdict) {
  if (verdict.with_envelope == 0) return "-";
  return std::to_string(verdict.inside) + "/" + std::to_string(verdict.with_envelope);
}

std::string verdict_of(const Verdict& verdict) {
  return verdict.verdict + (verdict.reason.empty() ? "" : ": " + verdict.reason);
}

std::vector<std::string> verdict_cells(const Verdict& verdict) {
  return {verdict.name,
          verdict.region,
          verdict.label,
          std::to_string(verdict.raw.count),
          percent(verdict.raw.mean),
          percent(verdict.raw.max),
          inside_of(verdict),
          limits_of(verdict.band),
          verdict_of(verdict)};
}

std::string verdicts_csv(const ValidationReport& report) {
  std::string text = "case,region,label,sizes,mape_pct,max_pct,inside,band_mape_max_pct,verdict\n";
  for (const Verdict& verdict : report.verdicts) {
    std::vector<std::string> cells = verdict_cells(verdict);
    cells.back() = "\"" + cells.back() + "\"";
    text += join(cells, ",") + "\n";
  }
  return text;
}

std::string verdicts_markdown(const ValidationReport& report) {
  std::string text =
      "| case | sizes | label | count | MAPE % | max % | inside | band: MAPE / max % | verdict |\n"
      "|---|---|---|---:|---:|---:|---:|---|---|\n";
  for (const Verdict& verdict : report.verdicts)
    text += "| " + join(verdict_cells(verdict), " | ") + " |\n";
  for (const std::string& skipped : report.skipped) text += "\nskipped: " + skipped + "\n";
  return text;
}

std::string systems_markdown(const ValidationReport& report) {
  const std::vector<std::string> labels = {"calibrated", "held out", "other laboratory", "assumed",
                                           "outside range"};
  std::map<std::string, std::map<std::string, Errors>> systems;
  std::set<std::tuple<std::string, std::string, std::int64_t>> seen;  // regions overlap
  for (const ComparedRow& row : report.rows)
    if (row.size >= mebibytes(1) && seen.insert({row.name, row.label, row.size.count()}).second)
      add(row.got / row.expected - 1, systems[row.system][row.label]);
  std::string text = "| system | " + join(labels, " | ") + " |\n|---|---|---|---|---|---|\n";
  for (auto& [system, errors] : systems) {
    text += "| " + system;
    for (const std::string& label : labels) {
      const Errors& found = errors[label];
      text += " | " + (found.count == 0 ? "-" : percent(found.mean) + " / " + percent(found.max));
    }
    text += " |\n";
  }
  return text;
}

std::string known_misses_markdown(const std::vector<KnownMiss>& misses) {
  std::string text = "| case | region | label | MAPE / max % | why |\n|---|---|---|---|---|\n";
  for (const KnownMiss& miss : misses)
    text += "| " +
            join({miss.name, miss.region, miss.label,
                  percent(miss.mean) + " / " + percent(miss.max), miss.reason},
                 " | ") +
            " |\n";
  return text;
}

}  // namespace trainyard
