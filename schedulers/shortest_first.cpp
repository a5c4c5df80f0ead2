// Shortest job first: of equal priority, who asks for the least time goes first; stop at the first
// that does not fit.
//
// Time is the limit, which is all a scheduler knows beforehand. Nobody overtakes a shorter job, so
// only long jobs can starve, not large ones. Jobs without a limit go last.
#include "schedulers/plan.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>

namespace trainyard {

namespace {

bool goes_first(const Job* a, const Job* b) {
  return a->priority != b->priority ? a->priority > b->priority : a->limit < b->limit;
}

class ShortestFirst final : public SchedulingPolicy {
public:
  std::vector<Decision> decide(const ClusterView& view, const Placement& placement) const override {
    Plan plan(view, placement);
    std::vector<const Job*> queue = view.pending;
    std::stable_sort(queue.begin(), queue.end(), goes_first);
    for (const Job* job : queue)
      if (!plan.start_if_fits(*job)) break;
    return plan.take_decisions();
  }
};

}  // namespace

std::unique_ptr<SchedulingPolicy> make_shortest_first(const PolicyOptions& /*options*/) {
  return std::make_unique<ShortestFirst>();
}

}  // namespace trainyard
