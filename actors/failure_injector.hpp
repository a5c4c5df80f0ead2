// Fails parts and repairs them when the plan says so: nodes by telling the scheduler, links by
// telling the wiring.
#pragma once

#include "actors/failure_plan.hpp"
#include "actors/wiring.hpp"
#include "sim/messages.hpp"

#include <vector>

namespace trainyard {

class FailureInjector {
public:
  // `wiring` may be null if no link can fail.
  FailureInjector(FailurePlan plan, SchedulerInbox& scheduler, Wiring* wiring)
      : plan_(std::move(plan)), scheduler_(scheduler), wiring_(wiring) {}
  void operator()();

private:
  struct Outage {
    Seconds back;
    FailingPart part;
  };
  bool is_down(NodeId node) const;
  void fail(const PlannedFailure& failure);
  void repair_first();

  FailurePlan plan_;
  SchedulerInbox& scheduler_;
  Wiring* wiring_;
  std::vector<Outage> down_;  // by the time they are back, then as they failed
};

}  // namespace trainyard
