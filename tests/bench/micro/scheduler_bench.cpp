// One decision of EASY backfill in a long queue, under each placement: 2,048 nodes of 8 GPUs, nine
// in ten of them busy, and 10,000 jobs waiting behind one that needs half of the machine.
#include "base/rng.hpp"
#include "schedulers/cluster.hpp"
#include "schedulers/registry.hpp"

#include <benchmark/benchmark.h>

#include <deque>

namespace trainyard {
namespace {

constexpr int kNodes = 2048, kGpusPerNode = 8, kNodesPerLeaf = 32, kWaiting = 10'000;

Platform nodes_on_leaves() {
  Platform platform;
  for (int n = 0; n < kNodes; ++n) {
    Node node;
    node.first_gpu = GpuId(platform.gpu_count());
    node.gpus = kGpusPerNode;
    node.leaf = SwitchId(n / kNodesPerLeaf);
    platform.nodes.push_back(node);
    Gpu gpu;
    gpu.node = NodeId(n);
    platform.gpus.insert(platform.gpus.end(), kGpusPerNode, gpu);
  }
  return platform;
}

// A busy cluster; the view points into it.
class Queue {
public:
  explicit Queue(RandomStream random) : platform_(nodes_on_leaves()), cluster_(platform_) {
    for (int gpu = 0; gpu < platform_.gpu_count(); gpu += 4)
      if (random.below(10) != 0) run(gpu, hours(1 + 10 * random.uniform()));
    wait(platform_.gpu_count() / 2, hours(5));
    for (int i = 1; i < kWaiting; ++i) wait(1 << random.below(9), hours(20 * random.uniform()));
    for (const Job& job : waiting_) view_.pending.push_back(&job);
    for (std::size_t i = 0; i < running_.size(); ++i)
      view_.running.push_back({&running_[i], &cluster_.allocation(running_[i].id), seconds(0)});
    view_.platform = &platform_;
    view_.free = &cluster_.free();
    view_.free_per_node = &cluster_.free_per_node();
    view_.node_up = &cluster_.up();
    view_.free_gpus = cluster_.free_gpus();
  }
  const ClusterView& view() const { return view_; }

private:
  Job next(int gpus, Seconds limit) {
    Job job;
    job.id = JobId(static_cast<std::int32_t>(running_.size() + waiting_.size()));
    job.gpus = gpus;
    job.gpus_per_block = gpus < kGpusPerNode ? 1 : kGpusPerNode / 2;
    job.limit = limit;
    return job;
  }
  void run(int first_gpu, Seconds limit) {
    Allocation four;
    for (int i = 0; i < 4; ++i) four.gpus.emplace_back(first_gpu + i);
    running_.push_back(next(4, limit));
    cluster_.allocate(running_.back().id, four);
  }
  void wait(int gpus, Seconds limit) { waiting_.push_back(next(gpus, limit)); }

  Platform platform_;
  Cluster cluster_;
  std::deque<Job> running_, waiting_;
  ClusterView view_;
};

void easy_decision(benchmark::State& state) {
  const PlacementEntry& entry = placements()[static_cast<std::size_t>(state.range(0))];
  const Queue queue(RandomSource(1).stream("queue"));
  const auto policy = make_backfill();
  const auto placement = entry.make({});
  std::size_t decisions = 0;
  while (state.KeepRunning())
    benchmark::DoNotOptimize(decisions = policy->decide(queue.view(), *placement).size());
  state.SetLabel(std::string(entry.name) + ", " + std::to_string(decisions) + " starts");
}

BENCHMARK(easy_decision)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trainyard
