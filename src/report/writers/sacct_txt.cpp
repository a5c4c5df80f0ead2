// sacct.txt: the run as `sacct --duplicates --parsable2 --allocations` would print it, one record
// an attempt, so that scripts written for a site's own accounting read it.
//
// The simulation starts at 1970-01-01T00:00:00 UTC, so Unix times are simulated seconds. A requeued
// job keeps its JobIDRaw; its next record is submitted when the one before ended. An attempt ended
// by a failed node is NODE_FAIL, one preempted PREEMPTED. Jobs count from 1, as Slurm's do. CPUs
// are not simulated and have no column.
#include "base/hostlist.hpp"
#include "report/writers/attempts.hpp"
#include "report/writers/labels.hpp"
#include "report/writers/writers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <ostream>

namespace trainyard {

namespace {

constexpr const char* kHeader =
    "JobIDRaw|JobID|JobName|User|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|"
    "Suspended|TimelimitRaw|State|ExitCode|ReqTRES|AllocTRES|NNodes|NodeList|Priority|Restarts|"
    "FailedNode|Reason|Planned\n";

std::string date(Seconds time) {
  const auto unix_time = static_cast<std::time_t>(std::llround(in_seconds(time)));
  std::tm parts{};
  gmtime_r(&unix_time, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  return text.data();
}

// [D-]HH:MM:SS, as sacct prints durations.
std::string duration(Seconds time) {
  const long long whole = std::llround(in_seconds(time));
  const long long days = whole / 86400;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%02lld:%02lld:%02lld", whole / 3600 % 24,
                whole / 60 % 60, whole % 60);
  return (days > 0 ? std::to_string(days) + "-" : "") + text.data();
}

std::string without_bars(std::string text) {
  std::replace(text.begin(), text.end(), '|', '_');
  return text;
}

const char* exit_code(JobState state) {
  switch (state) {
    case JobState::Completed:
    case JobState::Pending:
    case JobState::Running:
      return "0:0";
    case JobState::Failed:
    case JobState::NodeFail:
      return "1:0";
    default:
      return "0:15";  // ended by SIGTERM
  }
}

std::string time_limit(const Job& job) {
  if (job.limit == forever()) return "UNLIMITED";
  return std::to_string(static_cast<long long>(std::ceil(in_seconds(job.limit) / 60)));
}

std::string failed_node(const AttemptRecord& attempt) {
  const std::size_t end = attempt.cause.rfind(" failed");
  return attempt.end_state == JobState::NodeFail && end != std::string::npos
             ? attempt.cause.substr(0, end)
             : "";
}

class Record {
public:
  explicit Record(std::ostream& out) : out_(out) {}
  Record& field(const std::string& text) {
    if (!first_) out_ << '|';
    first_ = false;
    out_ << without_bars(text);
    return *this;
  }
  void end() { out_ << '\n'; }

private:
  std::ostream& out_;
  bool first_ = true;
};

void request(const Job& job, const std::string& label, Seconds submitted, Record& record) {
  const std::string id = std::to_string(job.id.value() + 1);
  record.field(id).field(id).field(label).field(job.user).field("").field(job.partition).field("");
  record.field(date(submitted)).field(date(submitted));
}

std::string gpus(std::size_t count) { return "gres/gpu=" + std::to_string(count); }

void write_waiting(const Job& job, const std::string& label, const AttemptRecord* cancelled,
                   std::ostream& out) {
  Record record(out);
  request(job, label, job.submit, record);
  const JobState state = cancelled ? cancelled->end_state : JobState::Pending;
  record.field("Unknown").field("Unknown").field("0").field("00:00:00").field(time_limit(job));
  record.field(to_string(state)).field("0:0").field(gpus(static_cast<std::size_t>(job.gpus)));
  record.field("").field("0").field("None assigned").field(std::to_string(job.priority));
  record.field("0").field("").field(cancelled ? "None" : "Resources").field("00:00:00").end();
}

void write_attempt(const Report& report, const AttemptRecord& attempt, const std::string& label,
                   Seconds submitted, std::ostream& out) {
  const Job& job = report.log.jobs[attempt.job.index()];
  std::vector<std::string> nodes;
  for (const std::int32_t node : node_numbers(report.platform, attempt.allocation))
    nodes.push_back(report.platform.nodes[static_cast<std::size_t>(node)].name);
  const Seconds elapsed = attempt.end - attempt.start - attempt.suspended;
  const std::size_t held = attempt.allocation.gpus.size();
  Record record(out);
  request(job, label, submitted, record);
  record.field(date(attempt.start));
  record.field(attempt.end_state == JobState::Running ? "Unknown" : date(attempt.end));
  record.field(std::to_string(std::llround(in_seconds(elapsed))));
  record.field(duration(attempt.suspended)).field(time_limit(job));
  record.field(to_string(attempt.end_state)).field(exit_code(attempt.end_state));
  record.field(gpus(static_cast<std::size_t>(job.gpus)));
  record.field(gpus(held) + ",node=" + std::to_string(nodes.size()));
  record.field(std::to_string(nodes.size())).field(compress_hostlist(nodes));
  record.field(std::to_string(job.priority)).field(std::to_string(attempt.attempt));
  record.field(failed_node(attempt)).field("None");
  record.field(duration(attempt.start - submitted)).end();
}

}  // namespace

void write_sacct_txt(const Report& report, std::ostream& out) {
  out << kHeader;
  const std::vector<std::string> labels = job_labels(report.log);
  const auto by_job = attempts_by_job(report.log);
  for (const Job& job : report.log.jobs) {
    const auto& attempts = by_job[job.id.index()];
    const std::string& label = labels[job.id.index()];
    Seconds submitted = job.submit;
    if (attempts.empty()) write_waiting(job, label, nullptr, out);
    for (const AttemptRecord* attempt : attempts) {
      if (attempt->allocation.gpus.empty())
        write_waiting(job, label, attempt, out);
      else
        write_attempt(report, *attempt, label, submitted, out);
      submitted = attempt->end;
    }
  }
}

}  // namespace trainyard
