// `trainyard queue RUN --at TIME` and `trainyard nodes RUN --at TIME`: as squeue and sinfo show it.

#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "config/units.hpp"
#include "report/run_history.hpp"
#include "report/table.hpp"

#include <algorithm>
#include <iostream>
#include <limits>
#include <map>

namespace trainyard {

namespace {

double time_of(const std::string& text) {
  if (text.empty()) return std::numeric_limits<double>::infinity();
  std::string problem;
  const Seconds time = parse_seconds(text, problem);
  if (!problem.empty()) throw InputError({}, "--at", problem);
  return in_seconds(time);
}

// squeue's [days-]hours:minutes:seconds.
std::string clock(double seconds) {
  const auto all = static_cast<long>(seconds);
  const auto two = [](long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  const long days = all / 86400, hours = all / 3600 % 24;
  std::string text = two(all / 60 % 60) + ":" + two(all % 60);
  if (all >= 3600) text = two(hours) + ":" + text;
  return days > 0 ? std::to_string(days) + "-" + text : text;
}

const char* abbreviation(const std::string& state) {
  if (state == "RUNNING") return "R";
  if (state == "SUSPENDED") return "S";
  return state == "COMPLETING" ? "CG" : "PD";
}

std::string nodelist(const JobNow& job) {
  if (job.on.empty()) return job.reason.empty() ? "(None)" : "(" + job.reason + ")";
  std::string text;
  for (const std::string& place : job.on) text += (text.empty() ? "" : ",") + node_at(place);
  return text;
}

// What waits first, by priority; then what runs.
std::vector<std::pair<std::string, const JobNow*>> in_order(const ClusterNow& now) {
  std::vector<std::pair<std::string, const JobNow*>> jobs;
  for (const auto& [name, job] : now.jobs)
    if (job.shown()) jobs.emplace_back(name, &job);
  std::stable_sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) {
    const bool x = a.second->state == "PENDING", y = b.second->state == "PENDING";
    if (x != y) return x;
    if (a.second->priority != b.second->priority) return a.second->priority > b.second->priority;
    return a.second->submitted.at < b.second->submitted.at;
  });
  return jobs;
}

std::string state_of(const std::string& closed, int used, int gpus) {
  if (closed == "down") return "down";
  if (!closed.empty()) return used > 0 ? "drng" : "drain";
  if (used == 0) return "idle";
  return used < gpus ? "mix" : "alloc";
}

}  // namespace

void queue_command(const HistoryOptions& options) {
  const double time = time_of(options.at);
  const ClusterNow now = cluster_at(read_run_history(options.run), time);
  Table table({{"JOBID"},
               {"ST"},
               {"TIME", Align::Right},
               {"GPUS", Align::Right},
               {"PRIORITY", Align::Right},
               {"NODELIST(REASON)"}});
  for (const auto& [name, job] : in_order(now)) {
    const bool runs = job->state == "RUNNING" && time < std::numeric_limits<double>::infinity();
    table.add({name, std::string(abbreviation(job->state)),
               runs ? clock(time - job->since) : "0:00", std::to_string(job->submitted.gpus),
               fixed(job->priority, 0), nodelist(*job)});
  }
  std::cout << table.text();
}

void nodes_command(const HistoryOptions& options) {
  const RunHistory history = read_run_history(options.run);
  const ClusterNow now = cluster_at(history, time_of(options.at));
  Table table({{"NODE"}, {"STATE"}, {"GPUS", Align::Right}, {"USED", Align::Right}, {"JOBS"}});
  std::map<std::string, std::string> jobs;
  for (const auto& [name, job] : now.jobs)
    for (const std::string& place : job.on) jobs[node_at(place)] += name + " ";
  for (const auto& [name, gpus] : history.nodes) {
    const auto used = now.used.find(name);
    const int busy = used == now.used.end() ? 0 : used->second;
    const auto closed = now.closed.find(name);
    table.add({name, state_of(closed == now.closed.end() ? "" : closed->second, busy, gpus),
               std::to_string(gpus), std::to_string(busy), std::string(trim(jobs[name]))});
  }
  std::cout << table.text();
}

}  // namespace trainyard
