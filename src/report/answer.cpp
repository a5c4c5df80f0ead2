#include "report/answer.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "report/metrics.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

std::string whole(double value) { return fixed(value, 0); }
std::string two_decimals(double value) { return fixed(value, 2); }
std::string percent(double value) { return fixed(100 * value, 1) + " %"; }
std::string milliseconds(double value) { return fixed(1e3 * value, 1) + " ms"; }
std::string duration(double value) {
  return value < 60 ? fixed(value, 1) + " s" : in_words(seconds(value));
}

struct AnswerColumn {
  const char* title;
  const char* metric;
  std::string (*format)(double value);
};

// The columns of the answer, after the label.
constexpr AnswerColumn kColumns[] = {
    {"jobs done", "completed", whole},
    {"of", "jobs", whole},
    {"mean wait", "mean_wait_s", duration},
    {"slowdown", "mean_bounded_slowdown", two_decimals},
    {"utilisation", "utilisation", percent},
    {"goodput", "goodput", percent},
    {"contention", "contention_share", percent},
    {"big job's step", "largest_job_step_s", milliseconds},
    {"its ideal", "largest_job_analytic_step_s", milliseconds},
    {"preemptions", "preemptions", whole},
};

std::string cell(const AnswerColumn& column, const MetricValues& values) {
  const auto found = values.find(column.metric);
  if (found == values.end() || !found->second) return "-";
  return column.format(*found->second);
}

}  // namespace

MetricValues metric_values(const Platform& platform, const EventLog& log) {
  const Books books(platform, log);
  MetricValues values;
  for (const MetricEntry& metric : metrics()) {
    const double value = metric.value(books);
    values[metric.name] = std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
  }
  return values;
}

MetricValues read_summary(const std::string& directory) {
  const std::string file = directory + "/summary.json";
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError({file}, "", "cannot be read; is this a result directory?");
  const auto summary = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (!summary.is_object() || !summary.contains("metrics") || !summary["metrics"].is_object())
    throw InputError({file}, "metrics", "is missing: not the summary of a run");
  MetricValues values;
  for (const auto& [name, value] : summary["metrics"].items()) {
    if (!value.is_number() && !value.is_null())
      throw InputError({file}, "metrics." + name, "must be a number or null");
    values[name] = value.is_null() ? std::nullopt : std::optional<double>(value.get<double>());
  }
  return values;
}

std::string answer_table(const std::vector<AnswerRow>& rows) {
  std::vector<Column> columns = {{"point", Align::Left}};
  for (const AnswerColumn& column : kColumns) columns.push_back({column.title, Align::Right});
  Table table(columns);
  for (const AnswerRow& row : rows) {
    std::vector<std::string> cells = {row.label};
    for (const AnswerColumn& column : kColumns) cells.push_back(cell(column, row.values));
    table.add(cells);
  }
  return table.text();
}

}  // namespace trainyard
