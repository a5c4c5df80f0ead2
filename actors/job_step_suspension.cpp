// An attempt that is suspended and goes on: its delays keep what is left of them, its flows what is
// left of their bytes, and its books take no notice of the time between.
#include "actors/job_step.hpp"

#include <algorithm>

namespace trainyard {

void JobStep::suspend() {
  compression_.leave(*this);
  simulation_.fluid().freeze(domain());
  suspended_since_ = simulation_.fluid().now();
}

void JobStep::resume() {
  const Seconds elapsed = simulation_.fluid().now() - *suspended_since_;
  const Seconds now = simulation_.now();
  recorder_.span(spec_.job->id, attempt_, "suspended", now - elapsed, now);
  recorder_.close(spec_.job->id);
  suspended_since_.reset();
  suspended_ += elapsed;
  step_began_.offset += in_seconds(elapsed);
  last_save_.offset += in_seconds(elapsed);
  player_->stood_still(elapsed);
  simulation_.fluid().thaw(domain());
  if (in_compression()) compression_.enter(*this);
}

// Of an attempt that ends now, or has ended a moment ago.
Seconds JobStep::suspended_until(Seconds end) const {
  if (!suspended_since_) return suspended_;
  const Seconds open = simulation_.fluid().now() - *suspended_since_;
  return suspended_ + std::max(Seconds(0), open - (simulation_.now() - end));
}

}  // namespace trainyard
