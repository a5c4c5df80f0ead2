// A policy and a placement as a scheduler: keeps the queue, shows the policy what is, and turns its
// decisions into orders. A job whose attempt was lost waits again.
#pragma once

#include "report/event_log.hpp"
#include "schedulers/occupancy.hpp"
#include "schedulers/scheduler.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct PreemptionRule {
  bool writes_checkpoint = false;
  Seconds grace = minutes(5);  // how long that may take
};

class PolicyScheduler final : public Scheduler {
public:
  PolicyScheduler(const SchedulingPolicy& policy, const Placement& placement,
                  const Occupancy& occupancy, EventLog& log, const PreemptionRule& preemption);

  void submitted(const Job& job, Seconds now) override;
  void ended(const Job& job, JobState how, Seconds now) override;
  std::vector<Order> decide(Seconds now) override;
  Seconds wake() override;
  Seconds limit(const Job& job) const override { return job.kill_after; }
  std::size_t waiting() const override { return view_.pending.size(); }
  bool is_stuck() const override { return !decided_ && policy_.wake(view_) == forever(); }
  std::string describe() const override;

private:
  void enqueue(const Job& job);
  void refresh_view();
  bool has_nothing_to_ask() const;
  const Job& job(JobId id) const { return log_.jobs[id.index()]; }
  DecisionRecord& note(JobId job, const char* what);
  void note_waiting();
  Order order(Start start);
  Order order(const Preempt& preempt);
  Order order(const Suspend& suspend);
  Order order(const Resume& resume);
  Order order(const Resize& resize);

  const SchedulingPolicy& policy_;
  const Placement& placement_;
  const Occupancy& occupancy_;
  EventLog& log_;
  const PreemptionRule preemption_;
  ClusterView view_;
  std::vector<JobId> came_;  // since it was last asked
  JobId head_;               // noted as the one that waits for resources
  Seconds wake_ = forever();
  bool some_elastic_ = false;
  bool decided_ = true;  // something, when it was last asked
};

}  // namespace trainyard
