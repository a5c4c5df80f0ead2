// Whether a component's means are known well enough to jump, and how far they can be trusted.
#include "actors/settling.hpp"
#include "actors/time_compression.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

constexpr double kReach = 5;  // longest jump, over what was simulated before it
constexpr double kReachCapped = 1;
constexpr double kGrowth = 2;  // or over all the time that the component has lasted unchanged
constexpr double kGrowthCapped = 0.5;
constexpr int kConfirmations = 2;      // each doubles the last: then it is kGrowth
constexpr std::size_t kFewSteps = 10;  // the slowest job has done at least these

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

// Sets the member's mean as well as it is known.
bool TimeCompression::settled(Member& member, bool alone) const {
  const std::vector<double>& steps = member.steps;
  member.equal_steps = alone && repeats(steps);
  member.mean = member.equal_steps ? steps.back() : tapered_mean(steps.data(), steps.size());
  if (member.equal_steps) return true;
  member.band = std::max(kAgreement, spread_of_means(steps, member.mean));
  return means_agree(steps, member.mean);
}

// Many steps in all and still no agreement, or one job so slow that the others would wait for ever.
bool TimeCompression::worn_out(const Component& component) const {
  std::size_t fewest = kFewSteps;
  for (const Domain job : component.jobs) fewest = std::min(fewest, members_.at(job).steps.size());
  return component.steps >= component.give_up_at && fewest >= kFewSteps;
}

// It came out of a flagged jump as it went in.
bool TimeCompression::confirmed(const Component& component) const {
  if (!component.flagged) return false;
  return std::all_of(component.jobs.begin(), component.jobs.end(), [this](Domain job) {
    const Member& member = members_.at(job);
    const std::size_t since = member.steps.size() - member.seen;
    if (since < kFewSteps) return false;
    const double mean = tapered_mean(member.steps.data() + member.seen, since);
    return std::abs(mean - member.jumped_mean) <= member.jumped_band * member.jumped_mean;
  });
}

void TimeCompression::consider(int id) {
  Component& component = components_[at(id)];
  const bool alone = component.jobs.size() == 1;
  if (!alone && component.steps < component.judge_at) return;
  const bool again = confirmed(component), capped = again || worn_out(component);
  for (const Domain job : component.jobs)
    if (!alone && !capped && members_.at(job).steps.size() < kSettlingSteps) return;  // cheap
  bool all = true;
  for (const Domain job : component.jobs) {
    if (settled(members_.at(job), alone)) continue;
    if (!capped) return;
    all = false;
  }
  component.confirmed = again ? component.confirmed + 1 : 0;
  freeze(id, !all);
}

// Until the first member should be simulated again, and no longer than can be answered for.
Seconds TimeCompression::jump_length(const Component& component, bool capped) const {
  Seconds length = forever();
  bool equal_steps = true;
  for (const Domain job : component.jobs) {
    const Member& member = members_.at(job);
    length = std::min(length, member.job->jump_budget(Seconds(member.mean)));
    if (!member.equal_steps) equal_steps = false;
  }
  if (equal_steps) return length;
  const Seconds watched = component.watched + (fluid_.now() - component.since);
  const Seconds lasted = watched + component.jumped;
  const double growth = kGrowthCapped * (1 << std::min(component.confirmed, kConfirmations));
  const Seconds reach = capped ? std::max(kReachCapped * watched, growth * lasted)
                               : std::max(kReach * watched, kGrowth * lasted);
  return std::min(length, reach);
}

}  // namespace trainyard
