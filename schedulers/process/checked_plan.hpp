// The decisions of somebody we do not trust, checked one by one on the view as those before left
// it.
//
// Each call throws std::invalid_argument, in words for whoever wrote the policy, if the decision is
// not valid after those before it.
#pragma once

#include "schedulers/policy.hpp"

#include <set>
#include <vector>

namespace trainyard {

class CheckedPlan {
public:
  CheckedPlan(const ClusterView& view, const Placement& placement);

  void start(JobId job);                 // where the placement puts it
  void start_with(JobId job, int gpus);  // likewise, an elastic job
  void start_on(JobId job, Allocation allocation);
  void preempt(JobId job, JobId for_job);
  void suspend(JobId job);
  void resume(JobId job);
  void resize(JobId job, int gpus);

  std::vector<Decision> take_decisions() { return std::move(decisions_); }

private:
  const Job& waiting(JobId job) const;
  const RunningJob& among(const std::vector<RunningJob>& jobs, JobId job, const char* what) const;
  void check_size(const Job& job, std::size_t gpus) const;
  void check(const Job& job, const Allocation& allocation) const;
  void take(const Allocation& allocation);
  void give(const Allocation& allocation);
  void once(JobId job);

  const ClusterView& view_;
  const Placement& placement_;
  std::vector<char> free_;
  std::vector<int> free_per_node_;
  std::set<JobId> decided_;
  std::vector<Decision> decisions_;
};

}  // namespace trainyard
