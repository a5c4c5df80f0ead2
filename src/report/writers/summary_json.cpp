// summary.json: what the run was, its metrics and its ledger, in an order that never changes.
//
// An undefined metric is null. A whole number is written without a fraction, whatever its metric.
// Bytes that are not UTF-8 become U+FFFD.
#include "report/fingerprint.hpp"
#include "report/groups.hpp"
#include "report/metrics.hpp"
#include "report/writers/csv.hpp"
#include "report/writers/writers.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  constexpr double kExact = 9007199254740992;  // 2^53: beyond it a double is no longer a count
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < kExact)
    return static_cast<std::int64_t>(value);
  return value;
}

Json facts_of(const RunInfo& info) {
  Json facts = Json::object();
  for (const auto& [name, value] : info.facts) facts[name] = value;
  return facts;
}

Json counts_of(const RunInfo& info) {
  Json counts = Json::object();
  for (const auto& [name, value] : info.counts) counts[name] = value;
  return counts;
}

Json platform_of(const Platform& platform) {
  return {{"name", platform.name},
          {"topology", platform.topology},
          {"calibration", platform.calibration},
          {"nodes", platform.node_count()},
          {"gpus", platform.gpu_count()}};
}

Json metrics_of(const Books& books) {
  Json values = Json::object();
  for (const MetricEntry& metric : metrics()) values[metric.name] = number(metric.value(books));
  return values;
}

Json ledger_of(const Books& books) {
  Json classes = Json::object();
  for (const LedgerClass& one : books.classes) classes[one.name] = number(one.gpu_seconds);
  return classes;
}

// By kind and name, as in groups.csv.
Json groups_of(const Books& books) {
  Json kinds = Json::object();
  for (const JobGroup& group : job_groups(books.log)) {
    Json& row = kinds[group.kind][as_utf8(group.name)];
    for (const GroupColumn& column : group_row(group, books))
      row[column.name] = number(column.value);
  }
  return kinds;
}

Json compression_of(const CompressionRecord& compression) {
  return {{"steps_simulated", compression.steps_simulated},
          {"steps_jumped", compression.steps_jumped},
          {"jumps", compression.jumps},
          {"capped_jumps", compression.capped_jumps},
          {"jumped_time_s", number(in_seconds(compression.jumped_time))}};
}

}  // namespace

void write_summary_json(const Report& report, std::ostream& out) {
  const Books books(report.platform, report.log);
  Json summary;
  summary["experiment"] = report.info.experiment;
  summary["question"] = report.info.question;
  summary["fingerprint"] = hexadecimal(fingerprint(report.log));
  summary["facts"] = facts_of(report.info);
  summary["platform"] = platform_of(report.platform);
  summary["counts"] = counts_of(report.info);
  summary["end_s"] = number(in_seconds(report.log.end));
  summary["events"] = report.log.events;
  summary["decisions"] = report.log.decisions;
  summary["metrics"] = metrics_of(books);
  summary["ledger_gpu_s"] = ledger_of(books);
  summary["groups"] = groups_of(books);
  summary["compression"] = compression_of(report.log.compression);
  summary["algorithms"] = report.log.algorithms;
  summary["warnings"] = report.log.warnings;
  out << summary.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace trainyard
