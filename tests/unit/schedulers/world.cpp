#include "unit/schedulers/world.hpp"

#include <algorithm>
#include <stdexcept>

namespace trainyard {

Platform small_platform(int nodes, int gpus_per_node, int nodes_per_leaf) {
  Platform platform;
  for (int node = 0; node < nodes; ++node) {
    platform.nodes.push_back({"node" + std::to_string(node), GpuId(platform.gpu_count()),
                              gpus_per_node, SwitchId(node / nodes_per_leaf)});
    for (int gpu = 0; gpu < gpus_per_node; ++gpu)
      platform.gpus.push_back({NodeId(node), NicId(), LinkId(), LinkId()});
  }
  return platform;
}

JobId World::add(const Ask& ask) {
  Job job;
  job.id = JobId(static_cast<int>(jobs_.size()));
  job.submit = seconds(job.id.value());
  job.gpus = ask.gpus;
  job.gpus_per_block = ask.per_block;
  job.limit = ask.limit;
  job.priority = ask.priority;
  job.sizes = ask.sizes;
  jobs_.push_back(job);
  return job.id;
}

JobId World::submit(const Ask& ask) {
  pending_.push_back(add(ask));
  return pending_.back();
}

JobId World::run(const Ask& ask, const std::vector<int>& ids, Seconds started) {
  const JobId id = add(ask);
  cluster_.allocate(id, gpus(ids));
  attempts_[id] = {started};
  return id;
}

void World::end(JobId job) {
  cluster_.release(job);
  attempts_.erase(job);
}

void World::requeue(JobId job) {
  end(job);
  pending_.push_back(job);
}

void World::leave_to_resize(JobId job) {
  if (resizing_.count(job) == 0) throw std::logic_error("leaves though nobody said so");
  requeue(job);
}

ClusterView World::view(Seconds now) const {
  ClusterView view;
  view.now = now;
  view.platform = &platform_;
  view.free = &cluster_.free();
  view.free_per_node = &cluster_.free_per_node();
  view.node_up = &cluster_.up();
  view.free_gpus = cluster_.free_gpus();
  view.preemption_is_immediate = preemption_is_immediate_;
  view.resizing = resizing_;
  for (const JobId id : pending_) view.pending.push_back(&job(id));
  std::sort(view.pending.begin(), view.pending.end(), [](const Job* a, const Job* b) {
    return a->priority != b->priority ? a->priority > b->priority : a->id < b->id;
  });
  for (const auto& [id, attempt] : attempts_)
    view.running.push_back(
        {&job(id), &cluster_.allocation(id), attempt.started, attempt.releasing, attempt.started});
  return view;
}

void World::carry_out(const std::vector<Decision>& decisions, Seconds now) {
  for (const Decision& decision : decisions)
    if (const auto* start = std::get_if<Start>(&decision))
      carry_out_start(*start, now);
    else if (const auto* resize = std::get_if<Resize>(&decision))
      carry_out_resize(*resize);
    else
      carry_out_preempt(std::get<Preempt>(decision));
}

void World::carry_out_start(const Start& start, Seconds now) {
  const auto waiting = std::find(pending_.begin(), pending_.end(), start.job);
  if (waiting == pending_.end()) throw std::logic_error("starts a job that is not waiting");
  const std::string problem = block_problem(job(start.job), start.allocation, platform_);
  if (!problem.empty()) throw std::logic_error(problem);
  cluster_.allocate(start.job, start.allocation);
  attempts_[start.job] = {now};
  resizing_.erase(start.job);
  pending_.erase(waiting);
}

void World::carry_out_resize(const Resize& resize) {
  const std::vector<int>& sizes = job(resize.job).sizes;
  if (attempts_.at(resize.job).releasing) throw std::logic_error("resizes a job that leaves");
  if (std::find(sizes.begin(), sizes.end(), resize.gpus) == sizes.end())
    throw std::logic_error("resizes a job to a size that it cannot have");
  if (cluster_.allocation(resize.job).gpus.size() == static_cast<std::size_t>(resize.gpus))
    throw std::logic_error("resizes a job to the size it has");
  attempts_.at(resize.job).releasing = true;
  resizing_[resize.job] = resize.gpus;
}

void World::carry_out_preempt(const Preempt& preempt) {
  const auto attempt = attempts_.find(preempt.job);
  if (attempt == attempts_.end()) throw std::logic_error("preempts a job that does not run");
  if (attempt->second.releasing) throw std::logic_error("preempts a job twice");
  if (job(preempt.job).priority >= job(preempt.for_job).priority)
    throw std::logic_error("preempts a job that is not of lower priority");
  if (preemption_is_immediate_) {
    requeue(preempt.job);
  } else {
    attempt->second.releasing = true;
  }
}

Allocation gpus(const std::vector<int>& ids) {
  Allocation allocation;
  for (const int id : ids) allocation.gpus.emplace_back(id);
  return allocation;
}

std::unique_ptr<SchedulingPolicy> policy_named(const std::string& name) {
  for (const PolicyEntry& entry : policies())
    if (name == entry.name) return entry.make({});
  throw std::logic_error("no policy " + name);
}

std::unique_ptr<Placement> placement_named(const std::string& name, std::uint64_t seed) {
  for (const PlacementEntry& entry : placements())
    if (name == entry.name) return entry.make({seed});
  throw std::logic_error("no placement " + name);
}

Job asking(int gpus, int per_block, int id) {
  Job job;
  job.id = JobId(id);
  job.gpus = gpus;
  job.gpus_per_block = per_block;
  return job;
}

std::vector<int> place(const std::string& name, const Job& job, const World& world,
                       std::uint64_t seed) {
  const Cluster& cluster = world.cluster();
  std::vector<int> ids;
  for (const GpuId gpu :
       placement_named(name, seed)
           ->place(job, {world.platform(), cluster.free(), cluster.free_per_node()})
           .gpus)
    ids.push_back(gpu.value());
  return ids;
}

std::vector<std::string> in_words(const std::vector<Decision>& decisions) {
  std::vector<std::string> words;
  for (const Decision& decision : decisions) {
    if (const auto* preempt = std::get_if<Preempt>(&decision)) {
      words.push_back("preempt " + std::to_string(preempt->job.value()) + " for " +
                      std::to_string(preempt->for_job.value()));
      continue;
    }
    if (const auto* resize = std::get_if<Resize>(&decision)) {
      words.push_back("resize " + std::to_string(resize->job.value()) + " to " +
                      std::to_string(resize->gpus));
      continue;
    }
    const auto& start = std::get<Start>(decision);
    words.push_back("start " + std::to_string(start.job.value()) + " on");
    for (const GpuId gpu : start.allocation.gpus) words.back() += " " + std::to_string(gpu.value());
  }
  return words;
}

std::vector<std::string> decide(const std::string& policy, const ClusterView& view) {
  return in_words(policy_named(policy)->decide(view, *placement_named("first_fit")));
}

std::string block_problem(const Job& job, const Allocation& allocation, const Platform& platform) {
  const auto count = static_cast<int>(allocation.gpus.size());
  if (count != job.gpus && std::count(job.sizes.begin(), job.sizes.end(), count) == 0)
    return "a wrong number of GPUs";
  const auto per_block = static_cast<std::size_t>(job.gpus_per_block);
  for (std::size_t rank = 0; rank < allocation.gpus.size(); ++rank) {
    const GpuId gpu = allocation.gpus[rank];
    const GpuId first = allocation.gpus[rank / per_block * per_block];
    if (platform.gpus[gpu.index()].node != platform.gpus[first.index()].node)
      return "a block on two nodes";
  }
  return "";
}

}  // namespace trainyard
