// `trainyard explain RUN JOB`: the life of a job, and why.

#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "report/run_history.hpp"

#include <algorithm>
#include <iostream>
#include <set>

namespace trainyard {

namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// What was free where it could have gone: nodes by their free GPUs, just before.
std::string choice(const RunHistory& history, const HistoryRow& start) {
  RunHistory before = history;
  before.rows.clear();
  for (const HistoryRow& row : history.rows) {
    if (&row == &start) break;
    before.rows.push_back(row);
  }
  const ClusterNow now = cluster_at(before, start.at);
  std::map<int, int> nodes;  // by free GPUs
  for (const auto& [name, gpus] : history.nodes) {
    const auto used = now.used.find(name);
    if (now.closed.count(name) == 0) ++nodes[gpus - (used == now.used.end() ? 0 : used->second)];
  }
  std::string text;
  for (auto group = nodes.rbegin(); group != nodes.rend(); ++group)
    if (group->first > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(group->first) + " GPUs free on " +
              std::to_string(group->second) + (group->second == 1 ? " node" : " nodes");
  return text;
}

std::string sentence(const HistoryRow& row) {
  const std::string of_whom = row.by.empty() ? "" : " for " + row.by;
  if (row.event == "submitted")
    return "submitted: " + std::to_string(row.gpus) + " GPUs" +
           (row.limit < 0 ? "" : ", limit " + fixed(row.limit / 60, 0) + " min") +
           (row.sbatch.empty() ? "" : ", " + row.sbatch);
  if (row.event == "waits") return "waits (" + row.reason + ")";
  if (row.event == "starts")
    return "starts on " + joined(row.on, " ") + (row.by.empty() ? "" : ", by " + row.by) +
           (row.reason.empty() ? "" : "; had waited: " + row.reason);
  if (row.event == "signalled") return "gets its --signal: the time limit is near";
  if (row.event == "warned") return "is told that it will be preempted" + of_whom;
  if (row.event == "ended") return "has left its GPUs: " + row.reason;
  return row.event + (row.reason.empty() ? of_whom : ": " + row.reason);
}

void print_row(const RunHistory& history, const HistoryRow& row) {
  const std::string margin(14, ' ');
  std::string time = fixed(row.at, 3) + " s";
  time = std::string(12 - std::min<std::size_t>(12, time.size()), ' ') + time;
  std::cout << time << "  " << sentence(row) << '\n';
  if (row.priority != 0 && row.event != "ended")
    std::cout << margin << "priority " << fixed(row.priority, 0)
              << (row.factors.empty() ? "" : " = " + row.factors) << '\n';
  if (!row.ahead.empty()) std::cout << margin << "ahead of it, " << row.ahead << '\n';
  if (row.event == "starts") std::cout << margin << "just before: " << choice(history, row) << '\n';
}

}  // namespace

void explain_command(const HistoryOptions& options) {
  const RunHistory history = read_run_history(options.run);
  std::set<std::string> names;
  for (const HistoryRow& row : history.rows)
    if (!row.job.empty()) names.insert(row.job);
  if (names.count(options.job) == 0)
    throw InputError(
        {options.run}, "",
        "no job '" + options.job + "'" + suggestion(options.job, {names.begin(), names.end()}));
  for (const HistoryRow& row : history.rows)
    if (row.job == options.job) print_row(history, row);
}

}  // namespace trainyard
