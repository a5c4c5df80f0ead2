#include "schedulers/plan.hpp"

#include <algorithm>
#include <iterator>

namespace trainyard {

namespace {

constexpr int kUnknown = -1;

}  // namespace

Plan::Plan(const ClusterView& view, const Placement& placement)
    : view_(&view), placement_(&placement), free_gpus_(view.free_gpus) {}

const std::vector<int>& Plan::free_per_node() const {
  return free_.empty() ? *view_->free_per_node : free_per_node_;
}

int Plan::blocks(int per_block) {
  if (per_block == 1) return free_gpus_;
  const auto size = static_cast<std::size_t>(per_block);
  if (blocks_.size() <= size) blocks_.resize(size + 1, kUnknown);
  if (blocks_[size] == kUnknown) blocks_[size] = blocks_available(free_per_node(), per_block);
  return blocks_[size];
}

bool Plan::fits_with(const Job& job, int gpus) {
  if (free_gpus_ < gpus) return false;
  return blocks(job.gpus_per_block) >= gpus / job.gpus_per_block;
}

Allocation Plan::place(const Job& job) {
  if (!fits(job)) return {};
  Room room{*view_->platform, free_.empty() ? *view_->free : free_, free_per_node()};
  if (placement_->looks_at_neighbours()) room.neighbours = neighbours();
  return placement_->place(job, room);
}

void Plan::start(const Job& job, Allocation allocation) {
  move_gpus(allocation, /*become_free=*/false);
  if (promises_only_) return;
  decisions_.emplace_back(Start{job.id, std::move(allocation)});
  started_.push_back(&job);
}

bool Plan::start_if_fits(const Job& job) {
  Allocation allocation = place(job);
  if (allocation.gpus.empty()) return false;
  start(job, std::move(allocation));
  return true;
}

bool Plan::start_with(const Job& job, int gpus) {
  if (gpus == job.gpus) return start_if_fits(job);
  Allocation allocation = place(resized(job, gpus));
  if (allocation.gpus.empty()) return false;
  start(job, std::move(allocation));
  return true;
}

void Plan::preempt(const RunningJob& victim, JobId for_job) {
  decisions_.emplace_back(Preempt{victim.job->id, for_job});
  move_gpus(*victim.allocation, /*become_free=*/true);
  if (!view_->preemption_is_immediate) promises_only_ = true;
}

void Plan::resize(const RunningJob& running, int gpus) {
  decisions_.emplace_back(Resize{running.job->id, gpus});
}

void Plan::suspend(const RunningJob& running) {
  decisions_.emplace_back(Suspend{running.job->id});
  move_gpus(*running.allocation, /*become_free=*/true);
}

void Plan::resume(const RunningJob& suspended) {
  decisions_.emplace_back(Resume{suspended.job->id});
  move_gpus(*suspended.allocation, /*become_free=*/false);
}

void Plan::await(const RunningJob& releasing) {
  move_gpus(*releasing.allocation, /*become_free=*/true);
  promises_only_ = true;
}

std::vector<RunningJob> Plan::neighbours() const {
  std::vector<RunningJob> neighbours = started();
  const auto stays = [this](const RunningJob& running) {
    return std::none_of(decisions_.begin(), decisions_.end(), [&](const Decision& decision) {
      const auto* preempt = std::get_if<Preempt>(&decision);
      return preempt != nullptr && preempt->job == running.job->id;
    });
  };
  std::copy_if(view_->running.begin(), view_->running.end(), std::back_inserter(neighbours), stays);
  return neighbours;
}

std::vector<RunningJob> Plan::started() const {
  std::vector<RunningJob> started;
  auto job = started_.begin();
  for (const Decision& decision : decisions_)
    if (const auto* start = std::get_if<Start>(&decision))
      started.push_back({*job++, &start->allocation, view_->now});
  return started;
}

// GPUs on a node that is down do not come back.
void Plan::move_gpus(const Allocation& allocation, bool become_free) {
  if (free_.empty()) {
    free_ = *view_->free;
    free_per_node_ = *view_->free_per_node;
  }
  blocks_.clear();
  const int change = become_free ? 1 : -1;
  for (const GpuId gpu : allocation.gpus) {
    const std::size_t node = view_->platform->gpus[gpu.index()].node.index();
    if ((*view_->node_up)[node] == 0) continue;
    free_[gpu.index()] = become_free ? 1 : 0;
    free_per_node_[node] += change;
    free_gpus_ += change;
  }
}

}  // namespace trainyard
