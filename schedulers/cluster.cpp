#include "schedulers/cluster.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace trainyard {

namespace {

[[noreturn]] void refuse(JobId job, const std::string& problem) {
  throw std::logic_error("cluster bookkeeping: job " + std::to_string(job.value()) + " " + problem);
}

}  // namespace

Cluster::Cluster(const Platform& platform)
    : platform_(&platform),
      holder_(platform.gpus.size()),
      free_(platform.gpus.size(), 1),
      up_(platform.nodes.size(), 1),
      free_gpus_(platform.gpu_count()) {
  for (const Node& node : platform.nodes) free_per_node_.push_back(node.gpus);
}

void Cluster::allocate(JobId job, const Allocation& allocation) {
  check(job, allocation);
  for (const GpuId gpu : allocation.gpus) {
    holder_[gpu.index()] = job;
    set_free(gpu, false);
  }
  allocated_gpus_ += static_cast<int>(allocation.gpus.size());
  allocations_.emplace(job, allocation);
}

void Cluster::check(JobId job, const Allocation& allocation) const {
  if (allocations_.count(job) != 0) refuse(job, "holds GPUs already");
  if (allocation.gpus.empty()) refuse(job, "is given no GPU");
  std::vector<GpuId> sorted = allocation.gpus;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.front().valid() || sorted.back().value() >= platform_->gpu_count())
    refuse(job, "is given a GPU that does not exist");
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    refuse(job, "is given a GPU twice");
  for (const GpuId gpu : sorted)
    if (free_[gpu.index()] == 0)
      refuse(job, "is given GPU " + std::to_string(gpu.value()) + ", which is not free");
}

void Cluster::release(JobId job) {
  const auto held = allocations_.find(job);
  if (held == allocations_.end()) refuse(job, "releases GPUs but holds none");
  for (const GpuId gpu : held->second.gpus) {
    holder_[gpu.index()] = JobId();
    if (up_[platform_->gpus[gpu.index()].node.index()] != 0) set_free(gpu, true);
  }
  allocated_gpus_ -= static_cast<int>(held->second.gpus.size());
  allocations_.erase(held);
}

const Allocation& Cluster::allocation(JobId job) const {
  const auto held = allocations_.find(job);
  if (held == allocations_.end()) refuse(job, "is asked for its GPUs but holds none");
  return held->second;
}

void Cluster::node_down(NodeId node) {
  up_[node.index()] = 0;
  refresh(node);
}

void Cluster::node_up(NodeId node) {
  up_[node.index()] = 1;
  refresh(node);
}

void Cluster::refresh(NodeId id) {
  const Node& node = platform_->nodes[id.index()];
  for (int i = 0; i < node.gpus; ++i) {
    const GpuId gpu(node.first_gpu.value() + i);
    set_free(gpu, up_[id.index()] != 0 && !holder_[gpu.index()].valid());
  }
}

void Cluster::set_free(GpuId gpu, bool free) {
  const int change = (free ? 1 : 0) - free_[gpu.index()];
  free_[gpu.index()] = free ? 1 : 0;
  free_per_node_[platform_->gpus[gpu.index()].node.index()] += change;
  free_gpus_ += change;
}

std::vector<JobId> Cluster::jobs_on(NodeId id) const {
  const Node& node = platform_->nodes[id.index()];
  std::vector<JobId> jobs;
  for (int i = 0; i < node.gpus; ++i) {
    const JobId holder = holder_[GpuId(node.first_gpu.value() + i).index()];
    if (holder.valid()) jobs.push_back(holder);
  }
  std::sort(jobs.begin(), jobs.end());
  jobs.erase(std::unique(jobs.begin(), jobs.end()), jobs.end());
  return jobs;
}

int Cluster::down_gpus() const { return platform_->gpu_count() - free_gpus_ - allocated_gpus_; }

}  // namespace trainyard
