#include "actors/failure_injector.hpp"

#include <algorithm>

namespace trainyard {

namespace {

void sleep_until(Seconds date) {
  const double ahead = in_seconds(date) - simgrid::s4u::Engine::get_clock();
  if (ahead > 1e-9) simgrid::s4u::this_actor::sleep_for(ahead);
}

}  // namespace

bool FailureInjector::is_down(NodeId node) const {
  return node.valid() && std::any_of(down_.begin(), down_.end(), [node](const Outage& outage) {
           return outage.part.node == node;
         });
}

void FailureInjector::fail(const PlannedFailure& failure) {
  if (failure.part.node.valid())
    scheduler_.post(NodeFailed{failure.part.node});
  else
    wiring_->worsen(failure.part.links, failure.part.factor);
  const auto later = std::find_if(down_.begin(), down_.end(),
                                  [&](const Outage& outage) { return outage.back > failure.back; });
  down_.insert(later, {failure.back, failure.part});
}

void FailureInjector::repair_first() {
  const FailingPart part = down_.front().part;
  down_.erase(down_.begin());
  if (part.node.valid()) {
    scheduler_.post(NodeRepaired{part.node});
    return;
  }
  wiring_->mend(part.links, part.factor);
  scheduler_.post(CableRepaired{});
}

void FailureInjector::operator()() {
  std::optional<PlannedFailure> upcoming = plan_.next();
  while (upcoming || !down_.empty()) {
    if (!down_.empty() && (!upcoming || down_.front().back <= upcoming->at)) {
      sleep_until(down_.front().back);
      repair_first();
      continue;
    }
    if (!is_down(upcoming->part.node)) {
      sleep_until(upcoming->at);
      fail(*upcoming);
    }
    upcoming = plan_.next();
  }
}

}  // namespace trainyard
