// jobs.swf: the run in the Standard Workload Format, one line a job.
//
// Waiting (3), run time (4), processors (5) and status (11) are the simulation's; a job that came
// from an SWF trace keeps its other fields, and its number of processors, as they stood there. A
// job's run time is what all its attempts held; processors are GPUs. Users and queues without a
// number of their own are numbered in order of their names, which the header lists.
#include "base/text.hpp"
#include "report/writers/attempts.hpp"
#include "report/writers/writers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <ostream>
#include <sstream>

namespace trainyard {

namespace {

constexpr std::size_t kFields = 18;
using Line = std::array<std::string, kFields>;  // by field number - 1

// Numbers for names: their own, if all are numbers.
std::map<std::string, std::int64_t> numbered(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const bool all = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name.empty() || parse_integer(name).value_or(-1) >= 0;
  });
  std::map<std::string, std::int64_t> numbers;
  std::int64_t next = 1;
  for (const std::string& name : names)
    numbers[name] = name.empty() ? -1 : all ? *parse_integer(name) : next++;
  return numbers;
}

std::string tenth(double value) {
  const double rounded = std::round(value * 10) / 10;
  return shortest(rounded);
}

// SWF's status: 1 completed, 0 failed, 5 cancelled; -1: it did not end.
int status_of(JobState state) {
  switch (state) {
    case JobState::Completed:
      return 1;
    case JobState::Cancelled:
      return 5;
    case JobState::Pending:
    case JobState::Running:
    case JobState::Completing:
      return -1;
    default:
      return 0;
  }
}

class Writer {
public:
  explicit Writer(const EventLog& log) : log_(log) {
    std::vector<std::string> users, queues;
    for (const Job& job : log.jobs) {
      users.push_back(job.user);
      queues.push_back(job.partition);
    }
    users_ = numbered(std::move(users));
    queues_ = numbered(std::move(queues));
  }

  Line line(const Job& job, const std::vector<const AttemptRecord*>& attempts) const {
    Line line = job.swf.empty() ? asked(job) : recorded(job);
    double held = 0;
    for (const AttemptRecord* attempt : attempts)
      held += in_seconds(attempt->end - attempt->start - attempt->suspended);
    const bool ran = !attempts.empty() && !attempts.front()->allocation.gpus.empty();
    line[2] = ran ? tenth(in_seconds(attempts.front()->start - job.submit)) : "-1";
    line[3] = ran ? tenth(held) : "-1";
    if (job.swf.empty() || !ran) line[4] = ran ? std::to_string(job.gpus) : "-1";
    const JobState state = attempts.empty() ? JobState::Pending : attempts.back()->end_state;
    line[10] = std::to_string(status_of(state));
    return line;
  }

  void names(const char* what, const std::map<std::string, std::int64_t>& numbers,
             std::ostream& out) const {
    for (const auto& [name, number] : numbers)
      if (number >= 0 && name != std::to_string(number))
        out << "; " << what << ": " << number << ' ' << printable(name) << '\n';
  }
  void header(const Report& report, std::ostream& out) const {
    out << "; Version: 2.2\n; Computer: " << printable(report.platform.name)
        << "\n; UnixStartTime: 0\n; MaxNodes: " << report.platform.node_count()
        << "\n; MaxProcs: " << report.platform.gpu_count() << "\n; Note: processors are GPUs\n";
    names("User", users_, out);
    names("Queue", queues_, out);
  }

private:
  Line asked(const Job& job) const {
    Line line;
    line.fill("-1");
    line[0] = std::to_string(job.id.value() + 1);
    line[1] = tenth(in_seconds(job.submit));
    line[7] = std::to_string(job.gpus);
    if (job.limit < forever()) line[8] = tenth(in_seconds(job.limit));
    line[11] = std::to_string(users_.at(job.user));
    line[14] = std::to_string(queues_.at(job.partition));
    return line;
  }

  static Line recorded(const Job& job) {
    Line line;
    std::istringstream words(job.swf);
    for (std::string& field : line) words >> field;
    return line;
  }

  const EventLog& log_;
  std::map<std::string, std::int64_t> users_, queues_;
};

}  // namespace

void write_jobs_swf(const Report& report, std::ostream& out) {
  const Writer writer(report.log);
  writer.header(report, out);
  const auto by_job = attempts_by_job(report.log);
  for (const Job& job : report.log.jobs) {
    const Line line = writer.line(job, by_job[job.id.index()]);
    for (std::size_t field = 0; field < kFields; ++field) out << (field ? " " : "") << line[field];
    out << '\n';
  }
}

}  // namespace trainyard
