#include "workload/importers/jobs/job_collector.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace trainyard {

void JobCollector::keep(Job job, const std::string& queue, const std::string& model,
                        const Place& place) {
  const auto [first, is_new] = line_of_.emplace(job.name, place.line);
  if (!is_new)
    throw InputError(
        place, "",
        "job number " + job.name + " is already on line " + std::to_string(first->second));
  if (job.limit <= Seconds(0)) {
    job.limit = options_.default_limit;
    ++trace_.no_limit;
  } else if (job.run_time > job.limit) {
    ++trace_.over_limit;
  }
  const auto priority = options_.queue_priority.find(queue);
  if (priority != options_.queue_priority.end()) job.priority = priority->second;
  if (!entries_.empty() && job.submit < entries_.back().job.submit) ++trace_.out_of_order;
  const std::int64_t number = parse_integer(job.name).value_or(-1);
  entries_.push_back({std::move(job), model, number});
}

JobTrace JobCollector::finish(const std::string& file) {
  if (entries_.empty()) {
    std::vector<std::string> reasons;
    for (const auto& [reason, count] : trace_.dropped)
      reasons.push_back(std::to_string(count) + " with " + reason);
    throw InputError(
        {file}, "",
        "holds no usable jobs" + (reasons.empty() ? "" : "; dropped: " + join(reasons)));
  }
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.job.submit != b.job.submit ? a.job.submit < b.job.submit : a.number < b.number;
  });
  const Seconds first = entries_.front().job.submit;
  trace_.jobs.reserve(entries_.size());
  trace_.models.reserve(entries_.size());
  for (Entry& entry : entries_) {
    entry.job.submit = entry.job.submit - first;
    trace_.jobs.push_back(std::move(entry.job));
    trace_.models.push_back(std::move(entry.model));
  }
  return std::move(trace_);
}

}  // namespace trainyard
