// A validation as CSV and as Markdown.
#include "base/text.hpp"
#include "study/validation/validate.hpp"

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

std::string verdicts_csv(const ValidationReport& report) {
  std::string text =
      "case,region,label,sizes,mape_pct,max_pct,band_mape_pct,band_max_pct,verdict,reason\n";
  for (const Verdict& verdict : report.verdicts)
    text += join({verdict.name, verdict.region, verdict.label, std::to_string(verdict.errors.count),
                  percent(verdict.errors.mean), percent(verdict.errors.max),
                  percent(verdict.band.mean), percent(verdict.band.max),
                  "\"" + verdict.verdict + "\"", "\"" + verdict.reason + "\""},
                 ",") +
            "\n";
  return text;
}

std::string verdicts_markdown(const ValidationReport& report) {
  std::string text =
      "| case | sizes | label | MAPE % | max % | band (MAPE / max) % | verdict |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const Verdict& verdict : report.verdicts)
    text += "| " +
            join({verdict.name, verdict.region, verdict.label, percent(verdict.errors.mean),
                  percent(verdict.errors.max),
                  percent(verdict.band.mean) + " / " + percent(verdict.band.max),
                  verdict.verdict + (verdict.reason.empty() ? "" : ": " + verdict.reason)},
                 " | ") +
            " |\n";
  for (const std::string& skipped : report.skipped) text += "\nskipped: " + skipped + "\n";
  return text;
}

}  // namespace trainyard
