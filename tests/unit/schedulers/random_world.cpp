#include "unit/schedulers/world.hpp"

#include <algorithm>

namespace trainyard {

namespace {

int from_to(int low, int high, RandomStream& random) {
  const auto values = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  return low + static_cast<int>(random.below(values));
}

// Small numbers, so that ties in time, priority and size are common.
Ask random_ask(const Platform& platform, RandomStream& random) {
  Ask ask;
  ask.per_block = from_to(1, std::min(4, platform.nodes[0].gpus), random);
  const int most = std::max(1, platform.gpu_count() / ask.per_block);
  ask.gpus = ask.per_block * from_to(1, from_to(1, most, random), random);
  ask.limit = random.below(5) == 0 ? forever() : seconds(from_to(1, 20, random));
  ask.priority = from_to(0, 3, random);
  return ask;
}

void run_somewhere(const Ask& ask, Placement& placement, World& world, RandomStream& random) {
  Job probe;
  probe.id = JobId(from_to(0, 1000, random));
  probe.gpus = ask.gpus;
  probe.gpus_per_block = ask.per_block;
  const Allocation where = placement.place(
      probe, {world.platform(), world.cluster().free(), world.cluster().free_per_node()});
  if (where.gpus.empty()) return;
  std::vector<int> ids;
  for (const GpuId gpu : where.gpus) ids.push_back(gpu.value());
  const JobId job = world.run(ask, ids, seconds(from_to(0, 10, random)));
  if (random.below(8) == 0) world.mark_releasing(job);
}

}  // namespace

std::unique_ptr<World> random_world(RandomStream& random) {
  const int nodes = from_to(1, 8, random);
  auto world =
      std::make_unique<World>(small_platform(nodes, from_to(1, 8, random), from_to(1, 3, random)));
  const auto placement = placement_named("random", random.below(1000));
  for (int jobs = from_to(0, 12, random); jobs > 0; --jobs)
    run_somewhere(random_ask(world->platform(), random), *placement, *world, random);
  for (int node = 0; node < nodes; ++node)
    if (random.below(10) == 0) world->cluster().node_down(NodeId(node));
  for (int jobs = from_to(0, 15, random); jobs > 0; --jobs)
    world->submit(random_ask(world->platform(), random));
  if (random.below(2) == 0) world->preemption_takes_time();
  return world;
}

}  // namespace trainyard
