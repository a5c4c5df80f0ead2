// The solver: what one change of the flows costs, against the links that the change touches. The
// platform has 65,536 links throughout: those that are not touched must cost nothing.
#include "network/max_min.hpp"

#include <benchmark/benchmark.h>

namespace trainyard {
namespace {

constexpr std::int64_t kLinks = 65'536;

Platform bare_links() {
  Platform platform;
  Link link;
  link.bandwidth = gigabytes_per_second(50);
  platform.links.assign(static_cast<std::size_t>(kLinks), link);
  return platform;
}

// A group over `count` links from `first` on.
FlowGroup group_over(std::int64_t first, std::int64_t count) {
  FlowGroup group;
  for (std::int64_t link = first; link < first + count; ++link)
    group.demands.push_back({LinkId(link), 1.0});
  group.length = 1e6;
  return group;
}

// A group alone on its links comes and goes.
void alone(benchmark::State& state) {
  const Platform platform = bare_links();
  MaxMin solver(nominal_capacities(platform), platform);
  const FlowGroup group = group_over(0, state.range(0));
  while (state.KeepRunning()) {
    const MaxMin::Key key = solver.add(group);
    benchmark::DoNotOptimize(solver.solve().size());
    solver.remove(key);
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(alone)->RangeMultiplier(4)->Range(64, 65'536)->Complexity(benchmark::oN);

// A group comes and goes between two neighbours, with each of whom it shares half of its links.
void between_two_neighbours(benchmark::State& state) {
  const Platform platform = bare_links();
  MaxMin solver(nominal_capacities(platform), platform);
  const std::int64_t links = state.range(0);
  const FlowGroup left = group_over(0, links), right = group_over(links, links),
                  between = group_over(links / 2, links);
  solver.add(left);
  solver.add(right);
  solver.solve();
  while (state.KeepRunning()) {
    const MaxMin::Key key = solver.add(between);
    benchmark::DoNotOptimize(solver.solve().size());
    solver.remove(key);
    benchmark::DoNotOptimize(solver.solve().size());
  }
  state.SetComplexityN(links);
}
BENCHMARK(between_two_neighbours)->RangeMultiplier(4)->Range(64, 32'768)->Complexity(benchmark::oN);

// A chain of groups of 64 links, each sharing 8 with the next: one change solves them all anew.
void chain_of_groups(benchmark::State& state) {
  const Platform platform = bare_links();
  MaxMin solver(nominal_capacities(platform), platform);
  std::vector<FlowGroup> groups;
  for (std::int64_t i = 0; i < state.range(0); ++i) groups.push_back(group_over(56 * i, 64));
  for (const FlowGroup& group : groups) solver.add(group);
  solver.solve();
  const FlowGroup change = group_over(0, 64);
  while (state.KeepRunning()) {
    const MaxMin::Key key = solver.add(change);
    benchmark::DoNotOptimize(solver.solve().size());
    solver.remove(key);
    benchmark::DoNotOptimize(solver.solve().size());
  }
  state.SetComplexityN(64 * state.range(0));
}
BENCHMARK(chain_of_groups)->RangeMultiplier(4)->Range(4, 1'024)->Complexity(benchmark::oNLogN);

// Groups that all share one link, and have 63 to themselves.
void crowd_on_one_link(benchmark::State& state) {
  const Platform platform = bare_links();
  MaxMin solver(nominal_capacities(platform), platform);
  std::vector<FlowGroup> groups;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    groups.push_back(group_over(1 + 63 * i, 63));
    groups.back().demands.insert(groups.back().demands.begin(), {LinkId(0), 1.0});
  }
  for (const FlowGroup& group : groups) solver.add(group);
  solver.solve();
  FlowGroup change = group_over(0, 1);
  while (state.KeepRunning()) {
    const MaxMin::Key key = solver.add(change);
    benchmark::DoNotOptimize(solver.solve().size());
    solver.remove(key);
    benchmark::DoNotOptimize(solver.solve().size());
  }
  state.SetComplexityN(64 * state.range(0));
}
BENCHMARK(crowd_on_one_link)->RangeMultiplier(4)->Range(4, 1'024)->Complexity(benchmark::oN);

}  // namespace
}  // namespace trainyard
