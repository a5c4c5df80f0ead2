#include "schedulers/preemption.hpp"

#include <algorithm>

namespace trainyard {

namespace {

bool goes_first(const RunningJob& a, const RunningJob& b) {
  if (a.job->priority != b.job->priority) return a.job->priority < b.job->priority;
  if (a.started != b.started) return a.started > b.started;
  return a.job->id > b.job->id;
}

std::vector<RunningJob> in_order_of_loss(const Job& job, const std::vector<RunningJob>& running) {
  std::vector<RunningJob> candidates;
  for (const RunningJob& other : running)
    if (!other.releasing && other.job->priority < job.priority) candidates.push_back(other);
  std::sort(candidates.begin(), candidates.end(), goes_first);
  return candidates;
}

// One pass is enough: who is needed now is needed all the more once others have been spared.
std::vector<RunningJob> spare_unneeded(const Job& job, const std::vector<RunningJob>& chosen,
                                       Capacity capacity) {
  std::vector<RunningJob> needed;
  for (auto victim = chosen.rbegin(); victim != chosen.rend(); ++victim) {
    capacity.take(*victim->allocation);
    if (capacity.holds(job)) continue;
    capacity.give(*victim->allocation);
    needed.push_back(*victim);
  }
  std::reverse(needed.begin(), needed.end());
  return needed;
}

}  // namespace

std::vector<RunningJob> choose_victims(const Job& job, const std::vector<RunningJob>& running,
                                       Capacity capacity) {
  std::vector<RunningJob> chosen;
  for (const RunningJob& candidate : in_order_of_loss(job, running)) {
    if (capacity.holds(job)) break;
    capacity.give(*candidate.allocation);
    chosen.push_back(candidate);
  }
  if (!capacity.holds(job)) return {};
  return spare_unneeded(job, chosen, capacity);
}

}  // namespace trainyard
