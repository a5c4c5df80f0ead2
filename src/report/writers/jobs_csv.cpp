// jobs.csv: one row an attempt, in the columns of Batsim v5, so that evalys reads it as it is.
//
// Resources are hosts, that is nodes: allocated_resources holds node numbers, and
// requested_number_of_resources is how many nodes the allocation touches, so that evalys' queue and
// utilisation count the same thing. Jobs that share a node both name it; the GPUs themselves are in
// the metadata. A job that never started asks for the fewest nodes that could hold it.
//
// Attempt k > 0 is the job "<label>#<k>", submitted when the attempt before it ended (Slurm's
// requeue time). final_state has Batsim's words; the metadata has Slurm's, with the cause. A job
// that never started is REJECTED, Batsim's word for a row without times. What is undefined is
// empty: the stretch of an attempt that took no time.
#include "base/text.hpp"
#include "report/writers/attempts.hpp"
#include "report/writers/csv.hpp"
#include "report/writers/labels.hpp"
#include "report/writers/writers.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace trainyard {

namespace {

constexpr const char* kHeader =
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
    "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
    "stretch,allocated_resources,consumed_energy,metadata\n";

// Batsim's word for how an attempt ended. Cut off by the end of the run counts as killed.
const char* final_state(JobState state) {
  switch (state) {
    case JobState::Completed:
      return "COMPLETED_SUCCESSFULLY";
    case JobState::Timeout:
      return "COMPLETED_WALLTIME_REACHED";
    case JobState::Running:
    case JobState::NodeFail:
    case JobState::Preempted:
    case JobState::Resizing:
    case JobState::Cancelled:
      return "COMPLETED_KILLED";
    case JobState::Failed:
    case JobState::Pending:
    case JobState::Completing:
      break;
  }
  return "COMPLETED_FAILED";
}

// The metadata separates its entries by ';', so an entry holds none.
std::string without_semicolons(std::string text) {
  std::replace(text.begin(), text.end(), ';', ',');
  return text;
}

std::string metadata(const std::string& label, int attempt, const std::string& state,
                     const std::string& cause, const Allocation& allocation) {
  return "attempt=" + std::to_string(attempt) + ";job=" + without_semicolons(label) +
         ";state=" + state + ";cause=" + without_semicolons(cause) +
         ";gpus=" + interval_set(gpu_numbers(allocation));
}

int fewest_nodes(const Platform& platform, int gpus) {
  int largest = 1;
  for (const Node& node : platform.nodes) largest = std::max(largest, node.gpus);
  return (gpus + largest - 1) / largest;
}

std::string profile(const Job& job) {
  return job.plan < 0 ? "compute" : "plan" + std::to_string(job.plan);
}

// The columns that describe the request: up to requested_time.
void request(const Job& job, const std::string& id, Seconds submitted, std::int64_t nodes,
             CsvLine& line) {
  line.text(id).text(job.workload).text(profile(job)).number(in_seconds(submitted)).integer(nodes);
  if (job.limit < forever())
    line.number(in_seconds(job.limit));
  else
    line.integer(-1);
}

void write_never_started(const Report& report, const Job& job, const std::string& label,
                         const AttemptRecord* cancelled, std::ostream& out) {
  CsvLine line(out);
  request(job, label, job.submit, fewest_nodes(report.platform, job.gpus), line);
  line.integer(0).text("REJECTED");
  for (int column = 0; column < 7; ++column)
    line.nothing();  // starting_time to allocated_resources
  const JobState state = cancelled != nullptr ? cancelled->end_state : JobState::Pending;
  const std::string cause = cancelled != nullptr ? cancelled->cause : "";
  line.integer(-1).quoted(metadata(label, 0, to_string(state), cause, {})).end();
}

void write_attempt(const Report& report, const AttemptRecord& attempt, const std::string& label,
                   Seconds submitted, std::ostream& out) {
  const Job& job = report.log.jobs[attempt.job.index()];
  const auto nodes = node_numbers(report.platform, attempt.allocation);
  const double execution = in_seconds(attempt.end - attempt.start);
  const double turnaround = in_seconds(attempt.end - submitted);
  CsvLine line(out);
  const std::string suffix = attempt.attempt > 0 ? "#" + std::to_string(attempt.attempt) : "";
  request(job, label + suffix, submitted, static_cast<std::int64_t>(nodes.size()), line);
  line.integer(attempt.end_state == JobState::Completed ? 1 : 0)
      .text(final_state(attempt.end_state));
  line.number(in_seconds(attempt.start)).number(execution).number(in_seconds(attempt.end));
  line.number(in_seconds(attempt.start - submitted)).number(turnaround);
  line.number(execution > 0 ? turnaround / execution : std::nan(""));
  line.text(interval_set(nodes)).integer(-1);
  line.quoted(metadata(label, attempt.attempt, to_string(attempt.end_state), attempt.cause,
                       attempt.allocation))
      .end();
}

}  // namespace

void write_jobs_csv(const Report& report, std::ostream& out) {
  out << kHeader;
  const std::vector<std::string> labels = job_labels(report.log);
  const auto by_job = attempts_by_job(report.log);
  for (const Job& job : report.log.jobs) {
    const auto& attempts = by_job[job.id.index()];
    Seconds submitted = job.submit;
    if (attempts.empty()) write_never_started(report, job, labels[job.id.index()], nullptr, out);
    for (const AttemptRecord* attempt : attempts) {
      if (attempt->allocation.gpus.empty())
        write_never_started(report, job, labels[job.id.index()], attempt, out);
      else
        write_attempt(report, *attempt, labels[job.id.index()], submitted, out);
      submitted = attempt->end;
    }
  }
}

}  // namespace trainyard
