// First in, first out: start pending jobs in queue order; stop at the first that does not fit.
//
// Nobody overtakes, not even while the head waits for a node that is down.
#include "schedulers/plan.hpp"
#include "schedulers/registry.hpp"

namespace trainyard {

namespace {

class Fifo final : public SchedulingPolicy {
public:
  std::vector<Decision> decide(const ClusterView& view, const Placement& placement) const override {
    Plan plan(view, placement);
    for (const Job* job : view.pending)
      if (!plan.start_if_fits(*job)) break;
    return plan.take_decisions();
  }
};

}  // namespace

std::unique_ptr<SchedulingPolicy> make_fifo(const PolicyOptions& /*options*/) {
  return std::make_unique<Fifo>();
}

}  // namespace trainyard
