#include "schedulers/reservation.hpp"

#include <algorithm>

namespace trainyard {

namespace {

constexpr Seconds kOverdueEndsIn = seconds(1);

struct Ending {
  Seconds at;
  const Allocation* allocation;
};

bool later(const Ending& a, const Ending& b) { return a.at > b.at; }

Ending ending_of(const RunningJob& running, Seconds now) {
  const Seconds limit = running.started + running.job->limit;
  const bool overdue = running.releasing || limit <= now;
  return {overdue ? now + kOverdueEndsIn : limit, running.allocation};
}

// A heap with the next to end in front: rarely are more than a few of them asked for.
std::vector<Ending> endings_of(const ClusterView& view, const std::vector<RunningJob>& started) {
  std::vector<Ending> endings;
  endings.reserve(view.running.size() + started.size());
  for (const RunningJob& running : view.running) endings.push_back(ending_of(running, view.now));
  for (const RunningJob& running : started) endings.push_back(ending_of(running, view.now));
  std::make_heap(endings.begin(), endings.end(), later);
  return endings;
}

}  // namespace

Reservation::Reservation(const Job& head, const ClusterView& view,
                         const std::vector<RunningJob>& started,
                         const std::vector<int>& free_per_node)
    : head_(&head), now_(view.now), at_shadow_(view, free_per_node, head.gpus_per_block) {
  std::vector<Ending> endings = endings_of(view, started);
  const auto next_ends = [&] {
    std::pop_heap(endings.begin(), endings.end(), later);
    shadow_ = endings.back().at;
    at_shadow_.give(*endings.back().allocation);
    endings.pop_back();
  };
  while (!at_shadow_.holds(head) && !endings.empty()) next_ends();
  while (!endings.empty() && endings.front().at == shadow_) next_ends();
  head_can_fit_ = at_shadow_.holds(head);
}

// Wherever it runs: it ends by the shadow time, or there is none. "For ever" is never by any time,
// not even by an infinite one.
bool Reservation::harmless(const Job& job) const {
  if (!head_can_fit_) return true;
  return job.limit < forever() && now_ + job.limit <= shadow_;
}

bool Reservation::could_admit(const Job& job) const {
  if (harmless(job)) return true;
  if (at_shadow_.gpus() - job.gpus < head_->gpus) return false;
  return std::find(refused_.begin(), refused_.end(), shape(job)) == refused_.end();
}

bool Reservation::admit(const Job& job, const Allocation& allocation) {
  if (!harmless(job)) {
    at_shadow_.take(allocation);
    if (!at_shadow_.holds(*head_)) {
      at_shadow_.give(allocation);
      refused_.push_back(shape(job));
      return false;
    }
  }
  refused_.clear();
  return true;
}

}  // namespace trainyard
