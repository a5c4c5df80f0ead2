// What others found about placement and fabrics: the direction must be theirs, and the figure in a
// band that says how much of their set-up is known.
#include "base/rng.hpp"
#include "network/max_min.hpp"
#include "study/validation/oracles/oracles.hpp"
#include "study/validation/oracles/testbeds.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace trainyard {

namespace {

FlowGroup ring_all_reduce(const std::vector<std::vector<GpuId>>& members, const Platform& platform,
                          const Routing& routing) {
  CollectiveSpec spec;
  spec.collective.kind = CollectiveKind::AllReduce;
  spec.collective.ranks = static_cast<int>(members.front().size());
  spec.collective.size = gibibytes(1);
  spec.algorithm = find_algorithm(CollectiveKind::AllReduce, "ring");
  spec.members = members;
  int rounds = 0;
  return lower_phases(spec, platform, routing, rounds).front();
}

RoutingSpec routed(RoutingPolicy policy, int seed = 0) {
  RoutingSpec spec;
  spec.policy = policy;
  spec.seed = static_cast<std::uint64_t>(seed);
  return spec;
}

// ---- Random against packed, leaf-spine 4:1 ----

// Every job's ring at once: the mean of bytes / rate over all jobs.
double mean_ring_time(const Platform& platform, const std::vector<int>& order, int job_size) {
  const auto routing = make_routing(platform, routed(RoutingPolicy::Spray));
  std::vector<FlowGroup> groups;
  for (std::size_t begin = 0; begin < order.size(); begin += static_cast<std::size_t>(job_size)) {
    std::vector<GpuId> gpus;
    for (std::size_t i = begin; i < begin + static_cast<std::size_t>(job_size); ++i)
      gpus.emplace_back(order[i]);
    groups.push_back(ring_all_reduce({gpus}, platform, *routing));
  }
  MaxMin solver(nominal_capacities(platform), platform);
  std::vector<MaxMin::Key> keys;
  keys.reserve(groups.size());
  for (const FlowGroup& group : groups) keys.push_back(solver.add(group));
  solver.solve();
  double sum = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) sum += groups[i].length / solver.rate(keys[i]);
  return sum / static_cast<double>(groups.size());
}

void add_random_placement(OracleResults& results) {
  constexpr int kHosts = 128, kLeaf = 16;
  const Platform platform = leaves_and_spines({kHosts, kLeaf, 4, "25 GB/s"});
  std::vector<int> order(kHosts);
  std::iota(order.begin(), order.end(), 0);
  const double packed = mean_ring_time(platform, order, kLeaf);
  RandomStream random(1);
  for (std::size_t i = order.size() - 1; i > 0; --i)
    std::swap(order[i], order[random.below(i + 1)]);
  const double slower = mean_ring_time(platform, order, kLeaf) / packed;
  const auto name = [](const char* what) {
    return OracleName{"placement", what, "slowdown", "S", "spcl/atlahs 8837294"};
  };
  const double heavy = 0.1, light = 0.002;
  results.push_back(finding(name("4:1 leaf-spine, random against packed: heavy (Llama)"), 1.35,
                            1 + heavy * (slower - 1), {1.1, 1.8},
                            "assumed: 10 % of the packed step is all-reduce, 8 jobs of one leaf"));
  results.push_back(finding(name("4:1 leaf-spine, random against packed: light (LULESH)"), 1.01,
                            1 + light * (slower - 1), {1, 1.02},
                            "assumed: 0.2 % of the packed step communicates"));
}

// ---- A ring over two racks ----

double ring_time(const Platform& platform, const std::vector<int>& order) {
  std::vector<GpuId> gpus;
  gpus.reserve(order.size());
  for (const int host : order) gpus.emplace_back(host);
  const auto routing = make_routing(platform, routed(RoutingPolicy::Spray));
  return in_seconds(
      alone_duration(ring_all_reduce({gpus}, platform, *routing), nominal_capacities(platform)));
}

void add_rings_over_racks(OracleResults& results) {
  const std::vector<int> by_rack = {0, 1, 2, 3, 4, 5, 6, 7}, alternating = {0, 4, 1, 5, 2, 6, 3, 7};
  const double one = ring_time(leaves_and_spines({16, 8, 2, "50 GB/s"}), by_rack);
  const Platform racks = leaves_and_spines({8, 4, 2, "50 GB/s"});
  const auto name = [](const char* what) {
    return OracleName{"placement", what, "of one rack", "M", "NVIDIA/nccl issue 319"};
  };
  results.push_back(finding(name("8 nodes in two racks, ring by rack (after the fix)"),
                            43.57 / 43.5, one / ring_time(racks, by_rack), {0.98, 1.02}, ""));
  results.push_back(finding(name("8 nodes in two racks, ring that alternates (before)"),
                            19.5 / 43.5, one / ring_time(racks, alternating), {0.35, 0.6},
                            "oversubscription not stated, 2:1 assumed"));
}

// ---- Rails against one switch of the rack ----

// Eight data-parallel rings, one a local rank, over 32 nodes; mean over hashes.
double rails_time(const Platform& platform, int seeds) {
  std::vector<std::vector<GpuId>> rings(8);
  for (int gpu = 0; gpu < 256; ++gpu) rings[static_cast<std::size_t>(gpu % 8)].emplace_back(gpu);
  double sum = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    const auto routing = make_routing(platform, routed(RoutingPolicy::Ecmp, seed));
    sum += in_seconds(
        alone_duration(ring_all_reduce(rings, platform, *routing), nominal_capacities(platform)));
  }
  return sum / seeds;
}

using Texts = std::vector<std::pair<std::string, std::string>>;

void add_rails(OracleResults& results) {
  const auto made = [](const Texts& more) {
    Texts all = {{"nodes", "32"},
                 {"gpus_per_node", "8"},
                 {"nvlink_bandwidth", "450 GB/s"},
                 {"nvlink_latency", "0 us"},
                 {"nic_bandwidth", "50 GB/s"},
                 {"nic_latency", "0 us"},
                 {"levels", "2"},
                 {"oversubscription", "1"},
                 {"switch_bandwidth", "50 GB/s"},
                 {"switch_latency", "0 us"}};
    all.insert(all.begin(), more.begin(), more.end());
    return platform_of(all);
  };
  const Platform rails =
      made({{"topology", "rail_optimized"}, {"nodes_per_unit", "32"}, {"down", "32,8"}});
  const Platform single = made({{"topology", "fat_tree"}, {"down", "64,4"}});
  results.push_back(finding({"placement", "one switch a rack against rails, 256 GPUs, 512 MiB",
                             "of rails", "S", "aliyun/SimAI docs/Tutorial.md"},
                            36.24 / 45.65, rails_time(rails, 1) / rails_time(single, 50),
                            {0.4, 0.95}, "uplinks hashed, one queue pair; theirs is not stated"));
}

// ---- Latency alone ----

void add_distance(OracleResults& results) {
  const auto time = [](const char* latency) {
    Timed sites(hosts(16, "50 GB/s", latency), 16, 1);
    return sites.seconds(CollectiveKind::AllReduce, "ring", mebibytes(256));
  };
  results.push_back(finding({"fabric", "latency alone: 300 us between sites, 16 ranks, 256 MiB",
                             "of 1 us", "M", "nccl-tests issue 241"},
                            0.5, time("0.5 us") / time("150 us"), {0.35, 0.65},
                            "sizes and distance are not stated beyond hundreds of us"));
}

}  // namespace

void add_placement_findings(OracleResults& results) {
  add_random_placement(results);
  add_rings_over_racks(results);
  add_rails(results);
  add_distance(results);
}

}  // namespace trainyard
