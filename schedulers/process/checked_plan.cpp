#include "schedulers/process/checked_plan.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace trainyard {

namespace {

std::string named(JobId job) { return "job " + std::to_string(job.value()); }

}  // namespace

CheckedPlan::CheckedPlan(const ClusterView& view, const Placement& placement)
    : view_(view), placement_(placement), free_(*view.free), free_per_node_(*view.free_per_node) {}

void CheckedPlan::once(JobId job) {
  if (!decided_.insert(job).second)
    throw std::invalid_argument(named(job) + " has its decision already");
}

const Job& CheckedPlan::waiting(JobId job) const {
  for (const Job* pending : view_.pending)
    if (pending->id == job) return *pending;
  throw std::invalid_argument(named(job) + " is not pending");
}

const RunningJob& CheckedPlan::among(const std::vector<RunningJob>& jobs, JobId job,
                                     const char* what) const {
  for (const RunningJob& running : jobs)
    if (running.job->id == job) return running;
  throw std::invalid_argument(named(job) + " is not " + what);
}

void CheckedPlan::start(JobId id) { start_with(id, waiting(id).gpus); }

void CheckedPlan::start_with(JobId id, int gpus) {
  const Job job = resized(waiting(id), gpus);
  check_size(waiting(id), static_cast<std::size_t>(gpus));
  Room room{*view_.platform, free_, free_per_node_};
  if (placement_.looks_at_neighbours()) room.neighbours = view_.running;
  Allocation allocation = placement_.place(job, room);
  if (allocation.gpus.empty()) throw std::invalid_argument(named(id) + " does not fit now");
  once(id);
  take(allocation);
  decisions_.emplace_back(Start{id, std::move(allocation)});
}

void CheckedPlan::start_on(JobId id, Allocation allocation) {
  check(waiting(id), allocation);
  once(id);
  take(allocation);
  decisions_.emplace_back(Start{id, std::move(allocation)});
}

void CheckedPlan::check_size(const Job& job, std::size_t gpus) const {
  const auto is_it = [gpus](int size) { return static_cast<std::size_t>(size) == gpus; };
  if (is_it(job.gpus) || std::any_of(job.sizes.begin(), job.sizes.end(), is_it)) return;
  throw std::invalid_argument(
      named(job.id) +
      (job.sizes.empty() ? " asks for " + std::to_string(job.gpus) + " GPUs" : " has other sizes") +
      " and is given " + std::to_string(gpus));
}

void CheckedPlan::check(const Job& job, const Allocation& allocation) const {
  check_size(job, allocation.gpus.size());
  const auto per_block = static_cast<std::size_t>(job.gpus_per_block);
  std::set<GpuId> seen;
  NodeId node;
  for (std::size_t rank = 0; rank < allocation.gpus.size(); ++rank) {
    const GpuId gpu = allocation.gpus[rank];
    if (!gpu.valid() || gpu.value() >= view_.platform->gpu_count())
      throw std::invalid_argument("there is no GPU " + std::to_string(gpu.value()));
    if (!seen.insert(gpu).second)
      throw std::invalid_argument("GPU " + std::to_string(gpu.value()) + " is given twice");
    if (free_[gpu.index()] == 0)
      throw std::invalid_argument("GPU " + std::to_string(gpu.value()) + " is not free");
    const NodeId here = view_.platform->gpus[gpu.index()].node;
    if (rank % per_block == 0) node = here;
    if (here != node)
      throw std::invalid_argument("blocks of " + std::to_string(per_block) + " GPUs of " +
                                  named(job.id) + " must be on one node each; rank " +
                                  std::to_string(rank) + " is on another");
  }
}

void CheckedPlan::preempt(JobId id, JobId for_job) {
  const RunningJob& victim = among(view_.running, id, "running");
  if (victim.releasing) throw std::invalid_argument(named(id) + " is releasing its GPUs already");
  waiting(for_job);
  once(id);
  if (view_.preemption_is_immediate) give(*victim.allocation);
  decisions_.emplace_back(Preempt{id, for_job});
}

void CheckedPlan::suspend(JobId id) {
  const RunningJob& running = among(view_.running, id, "running");
  if (running.releasing) throw std::invalid_argument(named(id) + " is releasing its GPUs already");
  once(id);
  give(*running.allocation);
  decisions_.emplace_back(Suspend{id});
}

void CheckedPlan::resume(JobId id) {
  const RunningJob& suspended = among(view_.suspended, id, "suspended");
  check(*suspended.job, *suspended.allocation);
  once(id);
  take(*suspended.allocation);
  decisions_.emplace_back(Resume{id});
}

void CheckedPlan::resize(JobId id, int gpus) {
  const RunningJob& running = among(view_.running, id, "running");
  if (running.releasing) throw std::invalid_argument(named(id) + " is leaving its GPUs already");
  check_size(*running.job, static_cast<std::size_t>(gpus));
  if (running.allocation->gpus.size() == static_cast<std::size_t>(gpus))
    throw std::invalid_argument(named(id) + " has " + std::to_string(gpus) + " GPUs already");
  once(id);
  decisions_.emplace_back(Resize{id, gpus});
}

void CheckedPlan::take(const Allocation& allocation) {
  for (const GpuId gpu : allocation.gpus) {
    free_[gpu.index()] = 0;
    --free_per_node_[view_.platform->gpus[gpu.index()].node.index()];
  }
}

void CheckedPlan::give(const Allocation& allocation) {
  for (const GpuId gpu : allocation.gpus) {
    const std::size_t node = view_.platform->gpus[gpu.index()].node.index();
    if ((*view_.node_up)[node] == 0) continue;
    free_[gpu.index()] = 1;
    ++free_per_node_[node];
  }
}

}  // namespace trainyard
