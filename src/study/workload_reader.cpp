#include "study/workload_reader.hpp"

#include "base/text.hpp"
#include "config/bounds.hpp"
#include "study/elastic_sizes.hpp"
#include "study/job_arrays.hpp"
#include "study/trace_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

namespace trainyard {

namespace {

constexpr std::int64_t kMostSteps = 1'000'000'000'000;

// What the entries of `workload:` add to.
struct Reading {
  PlanTable plans;
  const PathResolver& resolve;
  std::set<std::string> workloads, jobs;  // names given so far
  Workload workload;
};

// Of two keys one must be there; where both are missing, one may be there misspelt.
void require_one_of(const Section& section, const std::string& a, const std::string& b) {
  if (section.has(a) != section.has(b)) return;
  if (section.has(a)) throw section.error("has both '" + a + "' and '" + b + "'; one is needed");
  for (const std::string& key : section.keys()) {
    const std::string near = near_match(key, {a, b});
    if (!near.empty()) throw section.error(key, "unknown key; did you mean '" + near + "'?");
  }
  throw section.error("needs either '" + a + "' or '" + b + "'");
}

// Either so many steps of the plan, or a time.
void read_length(Section& section, Job& job) {
  require_one_of(section, "steps", "run_time");
  if (section.has("run_time")) {
    job.run_time = bounded_seconds(section, "run_time");
    if (job.run_time <= Seconds(0)) throw section.error("run_time", "must be positive");
    return;
  }
  if (job.plan < 0)
    throw section.error("steps", "a job without a plan has no steps; give 'run_time'");
  job.steps = section.integer("steps", 1);
  if (*job.steps > kMostSteps)
    throw section.error("steps", "must be at most " + std::to_string(kMostSteps));
}

void read_job(Section& section, const std::string& workload, Reading& reading) {
  Job job;
  job.workload = workload;
  job.name = section.text("name");
  if (!reading.jobs.insert(job.name).second)
    throw section.error("name", "there is already a job '" + job.name + "'");
  job.gpus = section.positive_int("gpus");
  job.submit = bounded_seconds_or(section, "submit", Seconds(0));
  job.priority = section.integer_or("priority", INT64_MIN, 0);
  job.limit = job.kill_after = positive_seconds_or(section, "limit", forever());
  job.plan = reading.plans.find(section, "plan", section.text_or("plan", "none"));
  read_length(section, job);
  reading.plans.fit(job, section, "gpus");
  read_elastic(section, reading.plans, job);
  if (section.has("sbatch")) {
    reading.workload.sbatch_at[job.name] = section.place("sbatch");
    job.sbatch = section.text("sbatch");
  }
  section.finish();
  reading.workload.jobs.push_back(std::move(job));
}

void read_entry(Section& entry, std::size_t index, Reading& reading) {
  const std::string name = entry.text_or("name", "w" + std::to_string(index));
  if (!reading.workloads.insert(name).second) {
    const std::string problem = "there is already a workload '" + name + "'";
    throw entry.has("name") ? entry.error("name", problem) : entry.error(problem);
  }
  require_one_of(entry, "trace", "jobs");
  const auto first = static_cast<std::ptrdiff_t>(reading.workload.jobs.size());
  if (entry.has("trace")) {
    Workload& workload = reading.workload;
    std::vector<Job> jobs =
        read_trace(entry.section("trace"), name, reading.plans, reading.resolve, workload.counts);
    std::move(jobs.begin(), jobs.end(), std::back_inserter(workload.jobs));
  } else {
    for (Section& job : entry.sections("jobs")) read_job(job, name, reading);
  }
  if (const auto options = entry.maybe_text("sbatch"))  // of all of them; their own come after
    std::for_each(reading.workload.jobs.begin() + first, reading.workload.jobs.end(),
                  [&](Job& job) { job.sbatch = *options + " " + job.sbatch; });
  entry.finish();
}

// Ids follow submission; of the same time, the file's order.
void number_jobs(std::vector<Job>& jobs) {
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const Job& a, const Job& b) { return a.submit < b.submit; });
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].id = JobId(static_cast<std::int64_t>(i));
}

}  // namespace

Workload read_workload(Section& root, const Platform& platform, const PathResolver& resolve) {
  Reading reading{PlanTable(platform, resolve), resolve, {}, {}, {}};
  if (std::optional<Section> plans = root.maybe_section("plans")) reading.plans.read(*plans);
  std::vector<Section> entries = root.sections("workload");
  for (std::size_t i = 0; i < entries.size(); ++i) read_entry(entries[i], i, reading);
  if (reading.workload.jobs.empty()) throw root.error("workload", "has no job");
  expand_arrays(reading.workload);
  number_jobs(reading.workload.jobs);
  reading.workload.plans = reading.plans.take();
  return std::move(reading.workload);
}

}  // namespace trainyard
