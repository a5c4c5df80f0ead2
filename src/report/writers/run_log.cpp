// run.log: what happened, one line an event in the order of time, for people. And experiment.yaml.
//
// The lines follow from the log like every other file; the program's own messages go to the
// terminal.
#include "base/text.hpp"
#include "report/writers/csv.hpp"
#include "report/writers/labels.hpp"
#include "report/writers/writers.hpp"

#include <algorithm>
#include <ostream>

namespace trainyard {

namespace {

struct Line {
  Seconds time;
  std::string text;
};

std::string counted(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string started(const Platform& platform, const AttemptRecord& attempt) {
  const auto nodes = node_numbers(platform, attempt.allocation);
  return " started, attempt " + std::to_string(attempt.attempt) + ", on " +
         counted(attempt.allocation.gpus.size(), "GPU") + " of " + counted(nodes.size(), "node") +
         " (" + interval_set(nodes) + ")";
}

std::string ended(const AttemptRecord& attempt) {
  const std::string how = attempt.end_state == JobState::Running
                              ? "was still running at the end"
                              : "ended " + std::string(to_string(attempt.end_state));
  return " " + how + " after " + shortest(in_seconds(attempt.end - attempt.start)) + " s" +
         (attempt.cause.empty() ? "" : ": " + attempt.cause);
}

// "link leaf0/spine1/up and 7 more down".
std::string changed(const Platform& platform, const LinkChangeRecord& change) {
  std::string text = "link " + platform.links[change.link.index()].name;
  if (change.links > 1) text += " and " + std::to_string(change.links - 1) + " more";
  if (change.factor == 0) return text + " down";
  return change.factor == 1 ? text + " up" : text + " at " + fixed(100 * change.factor, 0) + " %";
}

// Outages and the attempts' ends, which come before what they make room for.
void append_ends(const Report& report, const std::vector<std::string>& labels,
                 std::vector<Line>& lines) {
  const auto node = [&](const OutageRecord& outage) {
    return "node " + report.platform.nodes[outage.node.index()].name;
  };
  for (const OutageRecord& outage : report.log.outages)
    lines.push_back({outage.down, node(outage) + " down"});
  for (const LinkChangeRecord& change : report.log.link_changes)
    lines.push_back({change.at, changed(report.platform, change)});
  for (const AttemptRecord& attempt : report.log.attempts)
    lines.push_back({attempt.end, labels[attempt.job.index()] + ended(attempt)});
  for (const OutageRecord& outage : report.log.outages)
    if (outage.up <= report.log.end) lines.push_back({outage.up, node(outage) + " up"});
}

void append_beginnings(const Report& report, const std::vector<std::string>& labels,
                       std::vector<Line>& lines) {
  for (const Job& job : report.log.jobs)
    lines.push_back({job.submit, labels[job.id.index()] + " submitted: " +
                                     counted(static_cast<std::size_t>(job.gpus), "GPU")});
  for (const AttemptRecord& attempt : report.log.attempts)
    if (!attempt.allocation.gpus.empty())
      lines.push_back(
          {attempt.start, labels[attempt.job.index()] + started(report.platform, attempt)});
}

// One event, one line, whatever bytes a name holds.
std::string on_one_line(const std::string& text) {
  std::string line = as_utf8(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

}  // namespace

void write_run_log(const Report& report, std::ostream& out) {
  const std::vector<std::string> labels = job_labels(report.log);
  std::vector<Line> lines;
  append_ends(report, labels, lines);
  append_beginnings(report, labels, lines);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.time < b.time; });
  for (const Line& line : lines)
    out << fixed(in_seconds(line.time), 6) << " s  " << on_one_line(line.text) << '\n';
  out << fixed(in_seconds(report.log.end), 6) << " s  end of the run\n";
  for (const std::string& warning : report.log.warnings)
    out << "warning: " << on_one_line(warning) << '\n';
}

void write_experiment_yaml(const Report& report, std::ostream& out) {
  out << report.info.resolved_yaml;
}

}  // namespace trainyard
