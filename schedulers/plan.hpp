// A Plan: the view as it will be once the decisions taken so far are carried out.
//
// Every policy works on one: it asks what fits, decides, and the plan writes the decision down and
// moves the GPUs. The view's arrays are copied only when the first decision changes them, and "how
// many blocks" is remembered between changes: rejecting a job costs O(1), however long the queue.
//
// A plan may count on GPUs that are not back yet (`await`, or a victim that first writes its
// checkpoint). From then on a start is a promise: it claims GPUs in the plan, so that nobody behind
// it counts on them too, but no Start is written.
//
// INVARIANT: every decision written is valid when carried out after those before it.
#pragma once

#include "schedulers/policy.hpp"

#include <utility>
#include <vector>

namespace trainyard {

class Plan {
public:
  Plan(const ClusterView& view, const Placement& placement);

  bool fits(const Job& job) { return fits_with(job, job.gpus); }
  bool fits_with(const Job& job, int gpus);
  Allocation place(const Job& job);  // empty if it does not fit
  void start(const Job& job, Allocation allocation);
  bool start_if_fits(const Job& job);
  bool start_with(const Job& job, int gpus);  // false if it does not fit

  void preempt(const RunningJob& victim, JobId for_job);
  void await(const RunningJob& releasing);
  void resize(const RunningJob& running, int gpus);  // its GPUs stay as they are in the plan
  void suspend(const RunningJob& running);
  void resume(const RunningJob& suspended);  // all its GPUs must be free
  bool is_free(GpuId gpu) const { return (free_.empty() ? *view_->free : free_)[gpu.index()] != 0; }

  int free_gpus() const { return free_gpus_; }
  const std::vector<int>& free_per_node() const;
  std::vector<RunningJob> started() const;  // valid until the next decision
  std::vector<Decision> take_decisions() { return std::move(decisions_); }

private:
  int blocks(int per_block);
  std::vector<RunningJob> neighbours() const;  // started, or running and to stay
  void move_gpus(const Allocation& allocation, bool become_free);

  const ClusterView* view_;
  const Placement* placement_;
  std::vector<char> free_;          // empty until the first change
  std::vector<int> free_per_node_;  // likewise
  int free_gpus_;
  std::vector<int> blocks_;  // by size of block; kUnknown until asked for after a change
  bool promises_only_ = false;
  std::vector<Decision> decisions_;
  std::vector<const Job*> started_;  // one per Start in decisions_, in their order
};

}  // namespace trainyard
