// EASY backfill (Lifka 1995; Mu'alem and Feitelson 2001): start jobs in queue order; when the head
// does not fit, reserve for it, and let later jobs overtake if they do not delay that reservation.
//
// One reservation only, made anew at every decision. See Reservation for the shadow time and for
// heads that have none.
#include "schedulers/plan.hpp"
#include "schedulers/registry.hpp"
#include "schedulers/reservation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace trainyard {

namespace {

// Requests refused where the placement put them. The same request would be put there again until
// something starts, so it is not tried twice: a queue of a thousand alike costs one placement.
// (Random placement would try elsewhere for another job; it too gets one try per shape.)
class RefusedShapes {
public:
  bool contains(const Job& job) const {
    return std::find(shapes_.begin(), shapes_.end(), shape(job)) != shapes_.end();
  }
  void add(const Job& job) { shapes_.push_back(shape(job)); }
  void clear() { shapes_.clear(); }

private:
  using Shape = std::pair<int, int>;
  static Shape shape(const Job& job) { return {job.gpus, job.gpus_per_block}; }
  std::vector<Shape> shapes_;
};

using Queue = std::vector<const Job*>;

void start_behind(Queue::const_iterator head, const ClusterView& view, Plan& plan) {
  std::optional<Reservation> reservation;  // not worth making until somebody could use it
  RefusedShapes refused;
  for (auto job = head + 1; job != view.pending.end() && plan.free_gpus() > 0; ++job) {
    if (!plan.fits(**job)) continue;
    if (!reservation) reservation.emplace(**head, view, plan.started(), plan.free_per_node());
    if (!reservation->could_admit(**job) || refused.contains(**job)) continue;
    Allocation allocation = plan.place(**job);
    if (allocation.gpus.empty()) continue;
    if (reservation->admit(**job, allocation)) {
      plan.start(**job, std::move(allocation));
      refused.clear();
    } else {
      refused.add(**job);
    }
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

std::unique_ptr<SchedulingPolicy> make_backfill() { return std::make_unique<Backfill>(); }

}  // namespace trainyard
