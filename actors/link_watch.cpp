#include "actors/link_watch.hpp"

namespace trainyard {

void LinkWatch::time_passed() {
  if (simulation_.now() >= looked_ + history_.bin()) look();
}

void LinkWatch::jumped(Seconds elapsed, const std::function<void()>& credit) {
  look();
  credit();
  look_since(simulation_.now() - elapsed);
}

void LinkWatch::look() { look_since(looked_); }

void LinkWatch::look_since(Seconds from) {
  simulation_.fluid().account();
  const std::vector<double> all = simulation_.network().link_bytes();
  std::vector<double> more = all;
  for (std::size_t link = 0; link < seen_.size(); ++link) more[link] -= seen_[link];
  seen_ = all;
  looked_ = simulation_.now();
  history_.add(from, looked_, more);
}

}  // namespace trainyard
