// Components and their jumps: they form, freeze and thaw. Whether and how far a component may jump
// is judged in time_compression_judging.cpp.
#include "actors/time_compression.hpp"

#include <algorithm>
#include <set>

namespace trainyard {

namespace {

constexpr std::size_t kJudgeEvery = 10;    // steps of a job that has neighbours
constexpr std::size_t kLookAgain = 100;    // steps a job between two jumps
constexpr std::size_t kRemembered = 4000;  // steps a member keeps

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

TimeCompression::TimeCompression(Fluid& fluid, std::size_t links, bool enabled)
    : fluid_(fluid), enabled_(enabled), sharing_(fluid.capacities(), links) {}

void TimeCompression::enter(Compressible& job) {
  if (!enabled_) return;
  members_[job.domain()].job = &job;
  sharing_.add(job.domain(), job.links());
  regroup(sharing_.connected_to(job.domain()));
}

void TimeCompression::leave(Compressible& job) {
  const auto member = members_.find(job.domain());
  if (member == members_.end()) return;
  const std::vector<Domain> jobs = sharing_.connected_to(job.domain());
  touch(job);
  if (member->second.component >= 0) components_[at(member->second.component)].used = false;
  sharing_.remove(job.domain());
  members_.erase(member);
  regroup(jobs);
}

void TimeCompression::touch(Compressible& job) {
  const auto member = members_.find(job.domain());
  if (member != members_.end() && member->second.component >= 0) thaw(member->second.component);
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
    const std::vector<Domain> connected = sharing_.connected_to(*left.begin());
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
  component.give_up_at = kGiveUp * jobs.size();
  for (const Domain job : jobs) {
    Member& member = members_[job];
    member.component = static_cast<int>(id);
    member.steps.clear();
    member.seen = 0;
  }
  component.shared = sharing_.coupling_links(jobs);
  component.saturated.assign(component.shared.size(), 0);
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
  if (steps.size() >= kRemembered) {
    steps.erase(steps.begin(), steps.begin() + kRemembered / 2);
    member->second.seen -= std::min(member->second.seen, kRemembered / 2);
  }
  steps.push_back(in_seconds(duration));
  Component& component = components_[at(member->second.component)];
  ++component.steps;
  if (component.frozen) return;
  if (component.jobs.size() == 1 || steps.size() % kJudgeEvery == 0)
    consider(member->second.component);
}

void TimeCompression::freeze(int id, bool capped) {
  Component& component = components_[at(id)];
  const Seconds length = jump_length(component, capped);
  if (length <= Seconds(0)) return;
  component.frozen = true;
  component.frozen_at = fluid_.now();
  component.watched += component.frozen_at - component.since;
  note_saturation(component);
  component.flagged = capped;
  if (capped) ++record_.capped_jumps;
  ++record_.jumps;
  for (const Domain job : component.jobs) {
    Member& member = members_.at(job);
    member.jumped_mean = member.mean;
    member.jumped_band = member.band;
    fluid_.freeze(job);
  }
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
  on_jump_(elapsed, [&] {
    for (const Domain job : component.jobs) {
      Member& member = members_.at(job);
      member.seen = member.steps.size();
      member.job->jump(elapsed, Seconds(member.mean));
      fluid_.thaw(job);
    }
  });
  component.since = fluid_.now();
  component.judge_at = component.steps + kLookAgain * component.jobs.size();
  component.give_up_at = component.steps + kGiveUp * component.jobs.size();
  for (std::size_t i = 0; i < component.shared.size(); ++i)
    component.saturated_before[i] = fluid_.shared_saturated()[component.shared[i].index()];
}

}  // namespace trainyard
