// EASY backfill (Lifka 1995; Mu'alem and Feitelson 2001): start jobs in queue order; when the head
// does not fit, reserve for it, and let later jobs overtake if they do not delay that reservation.
//
// One reservation only, made anew at every decision. See Reservation for the shadow time and for
// heads that have none.
#include "schedulers/plan.hpp"
#include "schedulers/registry.hpp"
#include "schedulers/reservation.hpp"

#include <optional>
#include <utility>

namespace trainyard {

namespace {

using Queue = std::vector<const Job*>;

void start_behind(Queue::const_iterator head, const ClusterView& view, Plan& plan) {
  std::optional<Reservation> reservation;  // not worth making until somebody could use it
  for (auto job = head + 1; job != view.pending.end() && plan.free_gpus() > 0; ++job) {
    if (!plan.fits(**job)) continue;
    if (!reservation) reservation.emplace(**head, view, plan.started(), plan.free_per_node());
    if (!reservation->could_admit(**job)) continue;
    Allocation allocation = plan.place(**job);
    if (allocation.gpus.empty() || !reservation->admit(**job, allocation)) continue;
    plan.start(**job, std::move(allocation));
  }
}

class Backfill final : public SchedulingPolicy {
public:
  std::vector<Decision> decide(const ClusterView& view, const Placement& placement) const override {
    Plan plan(view, placement);
    auto head = view.pending.begin();
    while (head != view.pending.end() && plan.start_if_fits(**head)) ++head;
    if (head != view.pending.end()) start_behind(head, view, plan);
    return plan.take_decisions();
  }
};

}  // namespace

std::unique_ptr<SchedulingPolicy> make_backfill(const PolicyOptions& /*options*/) {
  return std::make_unique<Backfill>();
}

}  // namespace trainyard
