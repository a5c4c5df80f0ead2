#include "actors/time_compression.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace trainyard {

namespace {

constexpr std::size_t kWindow = 50;      // steps; overlapping ones are compared
constexpr std::size_t kJudgeEvery = 10;  // steps of a job that has neighbours
constexpr std::size_t kLookAgain = 100;  // steps a job between two jumps
constexpr std::size_t kCap = 400;        // steps a job, then jump anyway
constexpr double kReach = 5;             // longest jump, over what was simulated before it
constexpr double kReachCapped = 1;
constexpr double kGrowth = 2;  // or over all the time that the component has lasted unchanged
constexpr double kGrowthCapped = 0.5;
constexpr double kAgreement = 0.005;    // between the means of two windows
constexpr double kEqualSteps = 1e-6;    // of a job alone on its links
constexpr std::size_t kAloneSteps = 3;  // the first may still lack the company of the one before it
constexpr std::size_t kFewSteps =
    10;  // the slowest job of a capped component has done at least these
constexpr std::size_t kRemembered = 4000;  // steps a member keeps

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

double tapered_mean(const double* values, std::size_t count) {
  constexpr double kTwoPi = 6.283185307179586;
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double position = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double weight = 0.5 - 0.5 * std::cos(kTwoPi * position);
    sum += weight * values[i];
    weights += weight;
  }
  return sum / weights;
}

TimeCompression::TimeCompression(Fluid& fluid, std::size_t links, bool enabled)
    : fluid_(fluid), enabled_(enabled), users_(links) {}

void TimeCompression::enter(Compressible& job) {
  if (!enabled_) return;
  members_[job.domain()].job = &job;
  for (const LinkId link : job.links()) users_[link.index()].push_back(job.domain());
  regroup(connected_to(job.domain()));
}

void TimeCompression::leave(Compressible& job) {
  const auto member = members_.find(job.domain());
  if (member == members_.end()) return;
  const std::vector<Domain> jobs = connected_to(job.domain());
  touch(job);
  if (member->second.component >= 0) components_[at(member->second.component)].used = false;
  for (const LinkId link : job.links()) {
    std::vector<Domain>& users = users_[link.index()];
    users.erase(std::find(users.begin(), users.end(), job.domain()));
  }
  members_.erase(member);
  regroup(jobs);
}

void TimeCompression::touch(Compressible& job) {
  const auto member = members_.find(job.domain());
  if (member != members_.end() && member->second.component >= 0) thaw(member->second.component);
}

// All jobs reachable over shared links, ascending; the job itself included.
std::vector<Domain> TimeCompression::connected_to(Domain job) const {
  std::set<Domain> reached = {job};
  std::vector<Domain> open = {job};
  while (!open.empty()) {
    const Domain next = open.back();
    open.pop_back();
    for (const LinkId link : members_.at(next).job->links())
      if (users_[link.index()].size() > 1)
        for (const Domain user : users_[link.index()])
          if (reached.insert(user).second) open.push_back(user);
  }
  return {reached.begin(), reached.end()};
}

// The jobs' old components end (thawed), and new ones form from how they are connected now.
void TimeCompression::regroup(const std::vector<Domain>& jobs) {
  std::set<Domain> left;
  for (const Domain job : jobs)
    if (members_.count(job)) left.insert(job);
  for (const Domain job : left) {
    const int component = members_[job].component;
    if (component < 0) continue;
    thaw(component);
    components_[at(component)].used = false;
  }
  while (!left.empty()) {
    const std::vector<Domain> connected = connected_to(*left.begin());
    for (const Domain job : connected) left.erase(job);
    make_component(connected);
  }
}

void TimeCompression::make_component(std::vector<Domain> jobs) {
  std::size_t id = 0;
  while (id < components_.size() && components_[id].used) ++id;
  if (id == components_.size()) components_.emplace_back();
  Component& component = components_[id];
  component = Component{};
  component.used = true;
  component.since = fluid_.now();
  component.judge_at = 0;
  component.give_up_at = kCap * jobs.size();
  std::set<LinkId> shared;
  for (const Domain job : jobs) {
    Member& member = members_[job];
    member.component = static_cast<int>(id);
    member.steps.clear();
    if (jobs.size() < 2) continue;
    for (const LinkId link : member.job->links())
      if (users_[link.index()].size() > 1) shared.insert(link);
  }
  component.shared.assign(shared.begin(), shared.end());
  component.saturated.assign(shared.size(), 0);
  component.jobs = std::move(jobs);
  if (component.shared.empty()) return;
  const std::vector<double>& saturated = fluid_.shared_saturated();
  for (const LinkId link : component.shared)
    component.saturated_before.push_back(saturated[link.index()]);
}

void TimeCompression::step_ended(Compressible& job, Seconds duration) {
  ++record_.steps_simulated;
  const auto member = members_.find(job.domain());
  if (member == members_.end()) return;
  std::vector<double>& steps = member->second.steps;
  if (steps.size() >= kRemembered) steps.erase(steps.begin(), steps.begin() + kRemembered / 2);
  steps.push_back(in_seconds(duration));
  Component& component = components_[at(member->second.component)];
  ++component.steps;
  if (component.frozen) return;
  if (component.jobs.size() == 1 || steps.size() % kJudgeEvery == 0)
    consider(member->second.component);
}

// Sets the member's mean as well as it is known.
bool TimeCompression::settled(Member& member, bool alone) const {
  const std::vector<double>& steps = member.steps;
  member.equal_steps =
      alone && steps.size() >= kAloneSteps &&
      std::abs(steps.back() - steps[steps.size() - 2]) <= kEqualSteps * steps.back();
  member.mean = member.equal_steps ? steps.back() : tapered_mean(steps.data(), steps.size());
  if (member.equal_steps) return true;
  if (steps.size() < 2 * kWindow) return false;
  const std::size_t half = steps.size() / 2;
  const double* end = steps.data() + steps.size();
  const double first = tapered_mean(end - 2 * half, half), last = tapered_mean(end - half, half),
               middle = tapered_mean(end - half - half / 2, half);
  const auto [least, most] = std::minmax({first, middle, last});
  return most - least <= kAgreement * member.mean;
}

// Many steps in all and still no agreement, or one job so slow that the others would wait for ever.
bool TimeCompression::worn_out(const Component& component) const {
  std::size_t fewest = kCap;
  for (const Domain job : component.jobs) fewest = std::min(fewest, members_.at(job).steps.size());
  return component.steps >= component.give_up_at && fewest >= kFewSteps;
}

void TimeCompression::consider(int id) {
  const Component& component = components_[at(id)];
  const bool alone = component.jobs.size() == 1, capped = worn_out(component);
  if (!alone && component.steps < component.judge_at) return;
  for (const Domain job : component.jobs)
    if (!alone && !capped && members_.at(job).steps.size() < 2 * kWindow) return;  // cheap
  bool all = true;
  for (const Domain job : component.jobs)
    if (!settled(members_.at(job), alone)) all = false;
  if (all || capped) freeze(id, !all);
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
  const Seconds reach = capped ? std::max(kReachCapped * watched, kGrowthCapped * lasted)
                               : std::max(kReach * watched, kGrowth * lasted);
  return std::min(length, reach);
}

void TimeCompression::freeze(int id, bool capped) {
  Component& component = components_[at(id)];
  const Seconds length = jump_length(component, capped);
  if (length <= Seconds(0)) return;
  component.frozen = true;
  component.frozen_at = fluid_.now();
  component.watched += component.frozen_at - component.since;
  note_saturation(component);
  if (capped) ++record_.capped_jumps;
  ++record_.jumps;
  for (const Domain job : component.jobs) fluid_.freeze(job);
  component.timer = fluid_.start_delay(kNoDomain, length, this, id);
}

void TimeCompression::note_saturation(Component& component) {
  if (component.shared.empty()) return;
  const std::vector<double>& totals = fluid_.shared_saturated();
  for (std::size_t i = 0; i < component.shared.size(); ++i)
    component.saturated[i] += totals[component.shared[i].index()] - component.saturated_before[i];
}

void TimeCompression::completed(std::int64_t component) { thaw(static_cast<int>(component)); }

void TimeCompression::thaw(int id) {
  Component& component = components_[at(id)];
  if (!component.frozen) return;
  component.frozen = false;
  fluid_.withdraw(component.timer);
  const Seconds elapsed = fluid_.now() - component.frozen_at;
  record_.jumped_time += elapsed;
  component.jumped += elapsed;
  for (std::size_t i = 0; i < component.shared.size(); ++i)
    fluid_.credit_saturation(component.shared[i],
                             component.saturated[i] * (elapsed / component.watched));
  for (const Domain job : component.jobs) {
    const Member& member = members_.at(job);
    member.job->jump(elapsed, Seconds(member.mean));
    fluid_.thaw(job);
  }
  component.since = fluid_.now();
  component.judge_at = component.steps + kLookAgain * component.jobs.size();
  component.give_up_at = component.steps + kCap * component.jobs.size();
  for (std::size_t i = 0; i < component.shared.size(); ++i)
    component.saturated_before[i] = fluid_.shared_saturated()[component.shared[i].index()];
}

}  // namespace trainyard
