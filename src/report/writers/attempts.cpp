#include "report/writers/attempts.hpp"

#include <algorithm>

namespace trainyard {

std::vector<std::vector<const AttemptRecord*>> attempts_by_job(const EventLog& log) {
  std::vector<std::vector<const AttemptRecord*>> by_job(log.jobs.size());
  for (const AttemptRecord& attempt : log.attempts) by_job[attempt.job.index()].push_back(&attempt);
  for (auto& attempts : by_job)
    std::stable_sort(attempts.begin(), attempts.end(),
                     [](auto* a, auto* b) { return a->attempt < b->attempt; });
  return by_job;
}

}  // namespace trainyard
