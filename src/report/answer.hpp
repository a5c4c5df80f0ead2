// The table that answers an experiment's question: one line a point of its sweep.
#pragma once

#include "platforms/platform.hpp"
#include "report/event_log.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

using MetricValues = std::map<std::string, std::optional<double>>;  // nothing: undefined

struct AnswerRow {
  std::string label;  // "platform.oversubscription=2"
  MetricValues values;
};

// All metrics of a run, and of a result directory (its summary.json). Both give the same values.
// Throws InputError if there is no summary.json or it is not one.
MetricValues metric_values(const Platform& platform, const EventLog& log);
MetricValues read_summary(const std::string& directory);

// Per point: jobs done, mean wait, slowdown, utilisation, goodput, contention, preemptions. "-" is
// what is undefined or missing.
std::string answer_table(const std::vector<AnswerRow>& rows);

// summary.json and points.csv of a sweep's directory: every metric of every point.
void write_sweep_summary(const std::vector<AnswerRow>& rows, const std::string& directory);

}  // namespace trainyard
