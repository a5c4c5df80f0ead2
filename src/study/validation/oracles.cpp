#include "study/validation/oracles.hpp"

#include "base/text.hpp"
#include "network/max_min.hpp"
#include "platforms/xml.hpp"
#include "study/validation/collective_timer.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace trainyard {

namespace {

Platform platform_of(const std::vector<std::pair<std::string, std::string>>& properties) {
  std::string text = "<platform version=\"4.1\"><zone id=\"oracle\" routing=\"None\">";
  for (const auto& [id, value] : properties)
    text.append("<prop id=\"").append(id).append("\" value=\"").append(value).append("\"/>");
  return parse_platform("oracle", text + "</zone></platform>");
}

Platform nvswitch(int gpus, const std::string& rate) {
  return platform_of({{"topology", "nvlink_domain"},
                      {"gpus_per_node", std::to_string(gpus)},
                      {"nvlink_bandwidth", rate},
                      {"nvlink_latency", "0.5 us"}});
}

// Nodes on one switch without NVLink: each hop takes `latency` at a rate of `nic`.
Platform hosts(int count, const std::string& nic, const std::string& latency) {
  return platform_of({{"topology", "single_switch"},
                      {"nodes", std::to_string(count)},
                      {"gpus_per_node", "1"},
                      {"nic_bandwidth", nic},
                      {"nic_latency", latency},
                      {"switch_latency", "0 ns"}});
}

struct Timed {
  Platform platform;
  std::unique_ptr<Routing> routing;
  CollectiveTimer timer;

  Timed(Platform made, int nodes, int per_node)
      : platform(std::move(made)),
        routing(make_routing(platform, {})),
        timer(platform, *routing, place_ranks(platform, nodes, per_node, "first_fit")) {}

  double seconds(CollectiveKind kind, const char* algorithm, Bytes size) {
    const Uncalibrated known = timer.cost(kind, *find_algorithm(kind, algorithm), size).known;
    return in_seconds(known.path + known.wire);
  }
};

// 2(n-1) alpha + 2(n-1)/n S/B; half of it for all-gather and reduce-scatter.
void add_rings(std::vector<OracleResult>& results) {
  constexpr int kRanks = 8;
  Timed node(nvswitch(kRanks, "400 GB/s"), 1, kRanks);
  const double wire = (kRanks - 1.0) / kRanks * double(1U << 30) / 400e9;
  const double pass = (kRanks - 1) * 1e-6 + wire;
  const Bytes size = gibibytes(1);
  results.push_back({"ring all-reduce, 8 ranks, 1 GiB", "us", 2e6 * pass,
                     1e6 * node.seconds(CollectiveKind::AllReduce, "ring", size)});
  results.push_back({"ring all-gather, 8 ranks, 1 GiB", "us", 1e6 * pass,
                     1e6 * node.seconds(CollectiveKind::AllGather, "ring", size)});
  results.push_back({"ring reduce-scatter, 8 ranks, 1 GiB", "us", 1e6 * pass,
                     1e6 * node.seconds(CollectiveKind::ReduceScatter, "ring", size)});
}

// busbw = (n-1)/n k/(k-1) B_nic: nccl-tests issue 130, with its B_nic of 48.5 GB/s.
void add_all_to_all(std::vector<OracleResult>& results) {
  for (const int nodes : {2, 4, 8, 16}) {
    Timed cluster(platform_of({{"topology", "single_switch"},
                               {"nodes", std::to_string(nodes)},
                               {"gpus_per_node", "8"},
                               {"nvlink_bandwidth", "450 GB/s"},
                               {"nvlink_latency", "0 us"},
                               {"nic_bandwidth", "48.5 GB/s"},
                               {"nic_latency", "0 us"},
                               {"switch_latency", "0 us"}}),
                  nodes, 8);
    const double n = 8.0 * nodes, k = nodes;
    const Bytes size = gibibytes(1);
    const double time = cluster.seconds(CollectiveKind::AllToAll, "direct", size);
    const double busbw = (n - 1) / n * double(size.count()) / time / 1e9;
    results.push_back({"all-to-all over " + std::to_string(nodes) + " nodes, busbw", "GB/s",
                       (n - 1) / n * k / (k - 1) * 48.5, busbw});
  }
}

// astra-network-analytical, test_congestion_unaware.cpp: 1 MiB at 50 GiB/s, 500 ns a hop, cut to
// ns.
void add_astra(std::vector<OracleResult>& results) {
  Timed one_hop(hosts(2, "50 GiB/s", "250 ns"), 2, 1);
  Timed two_hops(hosts(2, "50 GiB/s", "500 ns"), 2, 1);
  const auto in_ns = [](Timed& timed) {
    return std::floor(1e9 * timed.seconds(CollectiveKind::SendRecv, "send_recv", mebibytes(1)) +
                      1e-3);
  };
  results.push_back({"ASTRA-sim analytical, 1 MiB over one hop", "ns", 20031, in_ns(one_hop), 0});
  results.push_back(
      {"ASTRA-sim analytical, 1 MiB through a switch", "ns", 20531, in_ns(two_hops), 0});
}

// csg-htsim in_and_out at 10 Gbit/s: A->{B,C,D,E}, F->E. Max-min: 2.5 each, and 7.5.
void add_max_min(std::vector<OracleResult>& results) {
  const Platform platform = hosts(6, "10 Gbit/s", "1 us");
  const auto routing = make_routing(platform, {});
  MaxMin solver(nominal_capacities(platform), platform);
  std::vector<FlowGroup> groups;
  const auto flow = [&](int from, int to) {
    const Phase phase{std::vector<Edge>{{Rank{0}, Rank{1}, mebibytes(1)}}, 1};
    groups.push_back(lower({phase}, {{GpuId(from), GpuId(to)}}, platform, *routing));
  };
  for (const int to : {1, 2, 3, 4}) flow(0, to);
  flow(5, 4);
  std::vector<MaxMin::Key> keys;
  for (const FlowGroup& group : groups) keys.push_back(solver.add(group));
  solver.solve();
  results.push_back(
      {"max-min, htsim in_and_out, A to E", "Gbit/s", 2.5, solver.rate(keys[3]) * 8 / 1e9});
  results.push_back(
      {"max-min, htsim in_and_out, F to E", "Gbit/s", 7.5, solver.rate(keys[4]) * 8 / 1e9});
}

// Chain broadcast over c chunks: (n-2+c)(alpha + S/(cB)); binomial: log2 n (alpha + S/B).
void add_broadcasts(std::vector<OracleResult>& results) {
  Timed node(nvswitch(8, "400 GB/s"), 1, 8);
  const double whole = double(64U << 20) / 400e9;
  results.push_back({"binomial broadcast, 8 ranks, 64 MiB", "us", 1e6 * 3 * (1e-6 + whole),
                     1e6 * node.seconds(CollectiveKind::Broadcast, "binomial", mebibytes(64))});
}

// Each GPU moves S(1 + 1/n) a direction: algbw = B n/(n+1). And, measured on 8 x H200 at 8 GiB
// (stas00/ml-engineering): busbw 473.1 on 8 GPUs, 414.2, 435.6 and 460.0 on 5, 6 and 7.
void add_nvls(std::vector<OracleResult>& results) {
  const Bytes size = gibibytes(8);
  const auto busbw = [size](int gpus) {
    Timed node(nvswitch(8, "450 GB/s"), 1, gpus);
    const AlgorithmEntry& nvls = *find_algorithm(CollectiveKind::AllReduce, "nvls");
    const Seconds wire = node.timer.cost(CollectiveKind::AllReduce, nvls, size).known.wire;
    return 2.0 * (gpus - 1) / gpus * double(size.count()) / in_seconds(wire) / 1e9;
  };
  results.push_back(
      {"NVLS all-reduce, 8 GPUs at 450 GB/s, busbw", "GB/s", 2.0 * 7 / 8 * 450 * 8 / 9, busbw(8)});
  const std::pair<int, double> measured[] = {{5, 414.2}, {6, 435.6}, {7, 460.0}};
  for (const auto& [gpus, figure] : measured)
    results.push_back({"NVLS busbw of " + std::to_string(gpus) + " GPUs against 8, H200", "",
                       figure / 473.1, busbw(gpus) / busbw(8), 0.03});
}

// RS + AR + AG: 2(g-1)/g S/B1 + 2(k-1)/k S/(g B2).
void add_two_level(std::vector<OracleResult>& results) {
  Timed cluster(platform_of({{"topology", "single_switch"},
                             {"nodes", "4"},
                             {"gpus_per_node", "8"},
                             {"nvlink_bandwidth", "450 GB/s"},
                             {"nvlink_latency", "0 us"},
                             {"nic_bandwidth", "50 GB/s"},
                             {"nic_latency", "0 us"},
                             {"switch_latency", "0 us"}}),
                4, 8);
  const double bytes = double(1U << 30);
  const double expected = 2.0 * 7 / 8 * bytes / 450e9 + 2.0 * 3 / 4 * bytes / (8 * 50e9);
  results.push_back({"two-level all-reduce, 4 nodes of 8, 1 GiB", "us", 1e6 * expected,
                     1e6 * cluster.seconds(CollectiveKind::AllReduce, "two_level", gibibytes(1))});
}

// n flows hashed to n equal uplinks: a synchronous collective waits for the fullest. The expected
// largest bin of the multinomial, against many seeds.
void add_ecmp(std::vector<OracleResult>& results) {
  constexpr int kFlows = 8, kSeeds = 3000;
  const Platform platform = platform_of({{"topology", "fat_tree"},
                                         {"nodes", "16"},
                                         {"gpus_per_node", "1"},
                                         {"nic_bandwidth", "50 GB/s"},
                                         {"nic_latency", "0 us"},
                                         {"levels", "2"},
                                         {"down", "8,2"},
                                         {"oversubscription", "1"},
                                         {"switch_bandwidth", "50 GB/s"},
                                         {"switch_latency", "0 us"}});
  const Capacities nominal = nominal_capacities(platform);
  std::vector<Edge> edges;
  std::vector<GpuId> gpus;
  for (int flow = 0; flow < 2 * kFlows; ++flow) gpus.emplace_back(flow);
  for (int flow = 0; flow < kFlows; ++flow)
    edges.push_back({Rank{flow}, Rank{kFlows + flow}, mebibytes(50)});
  double sum = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    RoutingSpec spec;
    spec.policy = RoutingPolicy::Ecmp;
    spec.seed = static_cast<std::uint64_t>(seed);
    const auto routing = make_routing(platform, spec);
    const FlowGroup group = lower({Phase{edges, 1}}, {gpus}, platform, *routing);
    sum += alone_duration(group, nominal) / (mebibytes(50) / gigabytes_per_second(50));
  }
  results.push_back(
      {"ECMP, 8 flows on 8 uplinks, slowdown of the slowest", "", 2.597, sum / kSeeds, 0.02});
}

}  // namespace

std::vector<OracleResult> run_oracles() {
  std::vector<OracleResult> results;
  add_rings(results);
  add_broadcasts(results);
  add_all_to_all(results);
  add_astra(results);
  add_max_min(results);
  add_nvls(results);
  add_two_level(results);
  add_ecmp(results);
  return results;
}

std::string oracles_csv(const std::vector<OracleResult>& oracles) {
  std::string text = "case,unit,expected,got,error_pct,tolerance_pct,verdict\n";
  for (const OracleResult& oracle : oracles)
    text += join({"\"" + oracle.name + "\"", oracle.unit, shortest(oracle.expected),
                  shortest(oracle.got), fixed(100 * oracle.error(), 4),
                  fixed(100 * oracle.tolerance, 4), oracle.held() ? "ok" : "BROKEN"},
                 ",") +
            "\n";
  return text;
}

}  // namespace trainyard
