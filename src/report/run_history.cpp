#include "report/run_history.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

using Json = nlohmann::json;

HistoryRow row_of(const Json& line) {
  HistoryRow row;
  row.at = line.at("t_s").get<double>();
  row.job = line.value("job", "");
  row.event = line.at("event").get<std::string>();
  row.reason = line.value("reason", "");
  row.by = line.value("by", "");
  row.factors = line.value("factors", "");
  row.ahead = line.value("ahead", "");
  row.sbatch = line.value("sbatch", "");
  row.priority = line.value("priority", 0.0);
  row.gpus = line.value("gpus", 0);
  row.limit = line.value("limit_s", -1.0);
  row.on = line.value("on", std::vector<std::string>());
  return row;
}

void hold(ClusterNow& now, const JobNow& job, int sign) {
  for (const std::string& place : job.on) now.used[node_at(place)] += sign * gpus_at(place);
}

void starts(ClusterNow& now, JobNow& job, const HistoryRow& row) {
  job.state = "RUNNING";
  job.reason.clear();
  job.since = row.at;
  job.on = row.on;
  hold(now, job, 1);
}

void leaves(ClusterNow& now, JobNow& job, const char* state) {
  hold(now, job, -1);
  job.on.clear();
  job.state = state;
}

void apply(ClusterNow& now, const HistoryRow& row) {
  if (row.job.empty()) {  // of a node: its name is the reason
    if (row.event == "up")
      now.closed.erase(row.reason);
    else
      now.closed[row.reason] = row.event;
    return;
  }
  JobNow& job = now.jobs[row.job];
  if (row.priority != 0) job.priority = row.priority;
  if (row.event == "submitted") job.submitted = row;
  if (row.event == "refused" || row.event == "cancelled") job.state.clear();
  if (row.event == "waits") job.reason = row.reason;
  if (row.event == "starts") starts(now, job, row);
  if (row.event == "suspended") job.state = "SUSPENDED";
  if (row.event == "resumed") job.state = "RUNNING";
  if (row.event == "warned") job.reason = "to be preempted for " + row.by;
  if (row.event == "stopped" || row.event == "requeued") job.state = "COMPLETING";
  if (row.event != "ended") return;
  const bool over = row.reason == "COMPLETED" || row.reason == "TIMEOUT" || row.by == "over";
  leaves(now, job, over ? "" : "PENDING");
}

}  // namespace

RunHistory read_run_history(const std::string& directory) {
  const std::string file = (std::filesystem::path(directory) / "decisions.jsonl").string();
  std::ifstream input(file);
  if (!input) throw InputError({file}, "", "cannot be read: not a run's result directory?");
  RunHistory history;
  std::string text;
  for (int number = 1; std::getline(input, text); ++number) {
    const Json line = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!line.is_object()) throw InputError({file, number}, "", "is no JSON object");
    try {
      if (number == 1)
        history.nodes = line.at("nodes").get<std::vector<std::pair<std::string, int>>>();
      else
        history.rows.push_back(row_of(line));
    } catch (const Json::exception& problem) {
      throw InputError({file, number}, "", problem.what());
    }
  }
  return history;
}

ClusterNow cluster_at(const RunHistory& history, double time) {
  ClusterNow now;
  for (const HistoryRow& row : history.rows) {
    if (row.at > time) break;
    apply(now, row);
  }
  return now;
}

std::string node_at(const std::string& place) { return place.substr(0, place.rfind(':')); }

int gpus_at(const std::string& place) {
  int count = 0;
  for (const std::string& part : split(place.substr(place.rfind(':') + 1), ' ')) {
    const std::size_t dash = part.find('-');
    const auto first = parse_integer(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_integer(part.substr(dash + 1));
    if (first && last) count += static_cast<int>(*last - *first) + 1;
  }
  return count;
}

}  // namespace trainyard
