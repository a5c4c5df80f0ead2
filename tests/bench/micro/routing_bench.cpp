// Routing and lowering on the 16,384-GPU platform: what one path costs under each policy, and what
// a collective costs to lower, against its ranks.
#include "collectives/registry.hpp"
#include "network/network.hpp"
#include "platforms/xml.hpp"

#include <benchmark/benchmark.h>

namespace trainyard {
namespace {

const Platform& largest() {
  static const Platform platform =
      load_platform(TRAINYARD_SOURCE_DIR "/platforms/dgx_h100_x2048_rail.xml");
  return platform;
}

std::unique_ptr<Routing> routing_of(RoutingPolicy policy) {
  RoutingSpec spec;
  spec.policy = policy;
  return make_routing(largest(), spec);
}

// Pairs from everywhere to everywhere: a step that shares no factor with the number of GPUs.
template <typename Visit>
void for_pairs(benchmark::State& state, const Visit& visit) {
  const std::int64_t gpus = largest().gpu_count();
  std::int64_t from = 0, to = 1;
  while (state.KeepRunning()) {
    visit(GpuId(from), GpuId(to));
    from = (from + 7'919) % gpus;
    to = (to + 104'729) % gpus;
  }
  state.SetItemsProcessed(state.iterations());
}

void path(benchmark::State& state, RoutingPolicy policy) {
  const auto routing = routing_of(policy);
  std::vector<LinkShare> links;
  for_pairs(state, [&](GpuId from, GpuId to) {
    links.clear();
    routing->append_path(from, to, 0, links);
    benchmark::DoNotOptimize(links.data());
  });
}
BENCHMARK_CAPTURE(path, static, RoutingPolicy::Static);
BENCHMARK_CAPTURE(path, ecmp, RoutingPolicy::Ecmp);
BENCHMARK_CAPTURE(path, spray, RoutingPolicy::Spray);

void latency(benchmark::State& state) {
  const auto routing = routing_of(RoutingPolicy::Static);
  for_pairs(state,
            [&](GpuId from, GpuId to) { benchmark::DoNotOptimize(routing->latency(from, to)); });
}
BENCHMARK(latency);

void lowering(benchmark::State& state, CollectiveKind kind, const char* algorithm,
              RoutingPolicy policy) {
  const auto routing = routing_of(policy);
  CollectiveSpec spec;
  spec.collective = {kind, static_cast<int>(state.range(0)), mebibytes(64), 8, Rank{0}};
  spec.algorithm = find_algorithm(kind, algorithm);
  spec.members.emplace_back();
  for (std::int64_t rank = 0; rank < state.range(0); ++rank)
    spec.members.front().emplace_back(rank);
  while (state.KeepRunning()) benchmark::DoNotOptimize(lower(spec, largest(), *routing).size());
  state.SetComplexityN(state.range(0));
}
BENCHMARK_CAPTURE(lowering, ring, CollectiveKind::AllReduce, "ring", RoutingPolicy::Static)
    ->RangeMultiplier(4)
    ->Range(64, 16'384)
    ->Unit(benchmark::kMicrosecond)
    ->Complexity(benchmark::oN);
BENCHMARK_CAPTURE(lowering, two_level, CollectiveKind::AllReduce, "two_level",
                  RoutingPolicy::Static)
    ->RangeMultiplier(4)
    ->Range(64, 16'384)
    ->Unit(benchmark::kMicrosecond)
    ->Complexity(benchmark::oN);
BENCHMARK_CAPTURE(lowering, all_to_all, CollectiveKind::AllToAll, "direct", RoutingPolicy::Static)
    ->RangeMultiplier(2)
    ->Range(64, 1'024)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oNSquared);
BENCHMARK_CAPTURE(lowering, all_to_all_ecmp, CollectiveKind::AllToAll, "direct",
                  RoutingPolicy::Ecmp)
    ->RangeMultiplier(2)
    ->Range(64, 1'024)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oNSquared);

}  // namespace
}  // namespace trainyard
