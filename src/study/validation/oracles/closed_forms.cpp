// The textbook's times, alone on small platforms.
#include "study/validation/oracles/oracles.hpp"
#include "study/validation/oracles/testbeds.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

constexpr double kGib = double(1U << 30);
constexpr double kAlpha = 1e-6, kRate = 400e9;  // of nvswitch(n, "400 GB/s")

OracleName closed(const std::string& name, const char* unit) {
  return {"closed form", name, unit, "E", "textbook"};
}

struct Form {
  CollectiveKind kind;
  const char* algorithm;
  const char* name;
  double steps, buffers;  // of alpha, of S/B
};

// Eight GPUs on a switch, 1 GiB: steps x alpha + buffers x S/B.
void add_textbook(OracleResults& results) {
  const double n = 8, part = (n - 1) / n;
  const double c = kGib / double(512 << 10);  // chunks of a chain
  const Form forms[] = {
      {CollectiveKind::AllReduce, "ring", "ring all-reduce", 2 * (n - 1), 2 * part},
      {CollectiveKind::AllGather, "ring", "ring all-gather", n - 1, part},
      {CollectiveKind::ReduceScatter, "ring", "ring reduce-scatter", n - 1, part},
      {CollectiveKind::AllToAll, "pairwise", "pairwise all-to-all", n - 1, part},
      {CollectiveKind::AllToAll, "direct", "direct all-to-all", 1, part},
      {CollectiveKind::AllToAll, "bruck", "Bruck all-to-all", 3, 1.5},
      {CollectiveKind::AllReduce, "recursive_doubling", "recursive doubling all-reduce", 3, 3},
      {CollectiveKind::AllReduce, "halving_doubling", "Rabenseifner all-reduce", 6, 2 * part},
      {CollectiveKind::Broadcast, "binomial", "binomial broadcast", 3, 3},
      {CollectiveKind::Reduce, "binomial", "binomial reduce", 3, 3},
      {CollectiveKind::Broadcast, "chain", "streamed chain broadcast", n - 1, (n - 2 + c) / c},
      {CollectiveKind::Reduce, "chain", "streamed chain reduce", n - 1, (n - 2 + c) / c},
  };
  Timed node(nvswitch(8, "400 GB/s"), 1, 8);
  for (const Form& form : forms)
    results.push_back(exact(closed(std::string(form.name) + ", 8 ranks, 1 GiB", "us"),
                            1e6 * (form.steps * kAlpha + form.buffers * kGib / kRate),
                            1e6 * node.seconds(form.kind, form.algorithm, gibibytes(1))));
}

// algbw -> B/2; about 2 log2 n alpha: one GPU a node, bytes alone.
void add_double_tree(OracleResults& results) {
  Timed cluster(hosts(16, "50 GB/s", "0 us"), 16, 1);
  const double time =
      cluster.seconds(CollectiveKind::AllReduce, "double_binary_tree", gibibytes(1));
  results.push_back(exact(closed("double binary tree all-reduce, 16 nodes, algbw", "GB/s"), 25,
                          kGib / time / 1e9, 0.02));
}

// Each GPU moves S(1 + 1/n) a direction: algbw = B n/(n+1).
void add_nvls(OracleResults& results) {
  Timed node(nvswitch(8, "450 GB/s", "0 us"), 1, 8);
  const double time = node.seconds(CollectiveKind::AllReduce, "nvls", gibibytes(8));
  results.push_back(exact(closed("NVLS all-reduce, 8 GPUs at 450 GB/s, busbw", "GB/s"),
                          2.0 * 7 / 9 * 450, 2.0 * 7 / 8 * 8 * kGib / time / 1e9));
}

// RS + AR + AG: 2(g-1)/g S/B1 + 2(k-1)/k S/(g B2), and never below the larger term.
void add_two_level(OracleResults& results) {
  Timed cluster(nodes_of_eight(4, "50 GB/s"), 4, 8);
  const double inside = 2.0 * 7 / 8 * kGib / 450e9, across = 2.0 * 3 / 4 * kGib / (8 * 50e9);
  const double got = 1e6 * cluster.seconds(CollectiveKind::AllReduce, "two_level", gibibytes(1));
  results.push_back(exact(closed("two-level all-reduce, 4 nodes of 8, 1 GiB", "us"),
                          1e6 * (inside + across), got));
  results.push_back(bound(closed("two-level all-reduce, its larger term", "us"),
                          1e6 * std::max(inside, across), got));
}

// busbw = (n-1)/n k/(k-1) B_nic.
void add_all_to_all(OracleResults& results) {
  for (const int nodes : {2, 4, 8, 16, 32}) {
    Timed cluster(nodes_of_eight(nodes, "48.5 GB/s"), nodes, 8);
    const double n = 8.0 * nodes, k = nodes;
    const double time = cluster.seconds(CollectiveKind::AllToAll, "direct", gibibytes(1));
    results.push_back(
        exact({"closed form", "all-to-all over " + std::to_string(nodes) + " nodes, busbw", "GB/s",
               "E", "nccl-tests issue 130"},
              (n - 1) / n * k / (k - 1) * 48.5, (n - 1) / n * kGib / time / 1e9));
  }
}

// All traffic between leaves: B/o a host. Uniform: min(B, (B/o)(n-1)/(n-m)) with leaves of m.
void add_oversubscription(OracleResults& results) {
  constexpr int kHosts = 64, kLeaf = 16;
  for (const int o : {2, 4}) {
    RoutingSpec spray;
    spray.policy = RoutingPolicy::Spray;
    Timed tree(leaves_and_spines({kHosts, kLeaf, o, "50 GB/s"}), kHosts, 1, spray);
    const double time = tree.seconds(CollectiveKind::AllToAll, "direct", gibibytes(1));
    const double sent = (kHosts - 1.0) / kHosts * kGib;
    results.push_back(exact(
        closed("fat tree " + std::to_string(o) + ":1, uniform all-to-all of 64 hosts", "GB/s"),
        std::min(50.0, 50.0 / o * (kHosts - 1) / (kHosts - kLeaf)), sent / time / 1e9));
  }
}

// n flows hashed to n uplinks, q ways each: the expected largest bin of the multinomial / q.
void add_ecmp(OracleResults& results) {
  constexpr int kFlows = 8, kSeeds = 3000;
  const Platform platform = leaves_and_spines({2 * kFlows, kFlows, 1, "50 GB/s"});
  const Capacities nominal = nominal_capacities(platform);
  std::vector<Edge> edges;
  edges.reserve(kFlows);
  for (int flow = 0; flow < kFlows; ++flow)
    edges.push_back({Rank{flow}, Rank{kFlows + flow}, mebibytes(50)});
  const std::pair<int, double> published[] = {{1, 2.597}, {2, 2.101}, {4, 1.762}, {8, 1.529}};
  for (const auto& [pairs, expected] : published) {
    double sum = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
      RoutingSpec spec;
      spec.policy = RoutingPolicy::Ecmp;
      spec.queue_pairs = pairs;
      spec.seed = static_cast<std::uint64_t>(seed);
      const auto routing = make_routing(platform, spec);
      const FlowGroup group =
          lower({Phase{edges, 1}}, {first_gpus(2 * kFlows)}, platform, *routing);
      sum += alone_duration(group, nominal) / (mebibytes(50) / gigabytes_per_second(50));
    }
    results.push_back(exact(closed("ECMP, 8 flows of " + std::to_string(pairs) +
                                       " queue pairs on 8 uplinks, slowdown of the slowest",
                                   ""),
                            expected, sum / kSeeds, 0.02));
  }
}

}  // namespace

void add_closed_forms(OracleResults& results) {
  add_textbook(results);
  add_double_tree(results);
  add_nvls(results);
  add_two_level(results);
  add_all_to_all(results);
  add_oversubscription(results);
  add_ecmp(results);
}

}  // namespace trainyard
