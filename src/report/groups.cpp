#include "report/groups.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

// Sizes by factors of eight: a GPU, a node, a few nodes, ...
std::string size_name(std::int64_t last) {
  if (last == 1) return "1";
  return std::to_string(last / 8 + 1) + "-" + std::to_string(last);
}

std::int64_t size_class(int gpus) {
  std::int64_t last = 1;
  while (last < gpus) last *= 8;
  return last;
}

using Members = std::map<std::string, std::vector<std::size_t>>;

template <typename Name>
void add_kind(const EventLog& log, const std::string& kind, const Name& name_of,
              std::vector<JobGroup>& groups) {
  Members members;
  for (std::size_t i = 0; i < log.jobs.size(); ++i) members[name_of(log.jobs[i])].push_back(i);
  if (members.size() == 1 && members.begin()->first.empty()) return;
  for (auto& [name, jobs] : members)
    groups.push_back({kind, name.empty() ? "(none)" : name, std::move(jobs)});
}

// What the attempts of the group's jobs add up to.
struct Sums {
  double allocated = 0, contention = 0, contention_delay = 0, lost = 0;
  double preemptions = 0, requeues = 0;
};

Sums sums_of(const JobGroup& group, const Books& books) {
  std::vector<char> inside(books.log.jobs.size(), 0);
  for (const std::size_t job : group.jobs) inside[job] = 1;
  Sums sums;
  for (const AttemptRecord& attempt : books.log.attempts) {
    if (inside[attempt.job.index()] == 0) continue;
    const auto gpus = static_cast<double>(attempt.allocation.gpus.size());
    sums.allocated += gpus * in_seconds(attempt.end - attempt.start - attempt.suspended);
    sums.contention += gpus * in_seconds(attempt.contention);
    sums.contention_delay += in_seconds(attempt.contention);
    sums.lost += gpus * in_seconds(attempt.lost);
    if (attempt.end_state == JobState::Preempted) ++sums.preemptions;
    if (attempt.attempt > 0) ++sums.requeues;
    if (attempt.end_state == JobState::Resizing) --sums.requeues;  // for the attempt that follows
  }
  return sums;
}

}  // namespace

std::vector<JobGroup> job_groups(const EventLog& log) {
  std::vector<JobGroup> groups;
  add_kind(
      log, "partition", [](const Job& job) { return job.partition; }, groups);
  add_kind(
      log, "user", [](const Job& job) { return job.user; }, groups);
  add_kind(
      log, "workload", [](const Job& job) { return job.workload; }, groups);
  std::map<std::int64_t, std::vector<std::size_t>> sizes;
  for (std::size_t i = 0; i < log.jobs.size(); ++i)
    sizes[size_class(log.jobs[i].gpus)].push_back(i);
  for (auto& [last, jobs] : sizes) groups.push_back({"size", size_name(last), std::move(jobs)});
  return groups;
}

std::vector<GroupColumn> group_row(const JobGroup& group, const Books& books) {
  std::vector<JobTimes> jobs;
  double completed = 0;
  for (const std::size_t job : group.jobs) {
    jobs.push_back(books.jobs[job]);
    completed += jobs.back().completed ? 1 : 0;
  }
  const Sums sums = sums_of(group, books);
  const std::vector<double> times = waits(jobs);
  const double all = books.platform.gpu_count() * in_seconds(books.log.end) -
                     gpu_seconds_of(books.classes, "down");
  return {
      {"jobs", static_cast<double>(jobs.size())},
      {"completed", completed},
      {"mean_wait_s", mean(times)},
      {"median_wait_s", percentile(times, 0.5)},
      {"p95_wait_s", percentile(times, 0.95)},
      {"mean_bounded_slowdown", mean(bounded_slowdowns(jobs))},
      {"utilisation", ratio(sums.allocated, all)},
      {"allocated_gpu_s", sums.allocated},
      {"contention_gpu_s", sums.contention},
      {"mean_contention_delay_s", ratio(sums.contention_delay, static_cast<double>(jobs.size()))},
      {"lost_gpu_s", sums.lost},
      {"preemptions", sums.preemptions},
      {"requeues", sums.requeues}};
}

}  // namespace trainyard
