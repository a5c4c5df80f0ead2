// What every reader of job traces does with the jobs it finds: counts what it drops, refuses a name
// that appears twice, sorts by submission, and counts time from the first.
//
// Two jobs submitted at the same time stand in the order of their numbers where both have one, and
// else in that of the file.
#pragma once

#include "base/error.hpp"
#include "workload/importers/jobs/job_trace.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace trainyard {

class JobCollector {
public:
  explicit JobCollector(const JobTraceOptions& options) : options_(options) {}

  // `job.submit` counts from any origin; `queue` is what priorities go by. A limit of zero is none.
  void keep(Job job, const std::string& queue, const std::string& model, const Place& place);
  void drop(const std::string& reason) { ++trace_.dropped[reason]; }
  bool is_full() const {
    return options_.max_jobs > 0 && static_cast<std::int64_t>(entries_.size()) >= options_.max_jobs;
  }

  // Throws if nothing was kept, with the reasons.
  JobTrace finish(const std::string& file);

private:
  struct Entry {
    Job job;
    std::string model;
    std::int64_t number;  // -1: its name is no number
  };

  const JobTraceOptions& options_;
  JobTrace trace_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, int> line_of_;  // looked up, never iterated
};

}  // namespace trainyard
