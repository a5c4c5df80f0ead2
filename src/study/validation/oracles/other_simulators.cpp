// Deterministic results of other simulators that a flow model can have.
#include "base/rng.hpp"
#include "network/max_min.hpp"
#include "study/validation/oracles/oracles.hpp"
#include "study/validation/oracles/testbeds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

// ---- ASTRA-sim's analytical network: 1 MiB; rates in GiB/s; cut to ns ----

OracleName astra(const std::string& name) {
  return {"ASTRA-sim analytical", name, "ns", "E", "astra-network-analytical 599a047"};
}

double message_ns(Timed& timed) {
  return std::floor(1e9 * timed.seconds(CollectiveKind::SendRecv, "send_recv", mebibytes(1)) +
                    1e-3);
}

// Rings of switches as they stand, each with one GPU that its own link never holds back.
Platform switch_ring() {
  return platform_of({{"topology", "graph"},
                      {"kinds", "one"},
                      {"kind.one.gpus", "1"},
                      {"kind.one.nics", "ib0 0: 50 GiB/s, 0 s"},
                      {"nodes", "n[0-15]: one"},
                      {"switches", "sw[0-15]: 0 s"},
                      {"cables",
                       "n[0-15]/ib0 sw[0-15]: 50 GiB/s, 0 s; sw[0-15] sw[1-15],sw0: 50 GiB/s, "
                       "500 ns"}});
}

void add_astra(OracleResults& results) {
  struct Hop {
    const char *name, *rate, *each_end;
    double expected;
  };
  // A host's link twice: the latency is half of that of one hop, all of that of two.
  const Hop hops[] = {
      {"fully connected, one hop (both modes)", "50 GiB/s", "250 ns", 20031},
      {"switch, two hops, unaware", "50 GiB/s", "500 ns", 20531},
      {"three dimensions, first: ring, 200 GB/s, 50 ns", "200 GiB/s", "25 ns", 4932},
      {"three dimensions, second: fully connected, 100 GB/s, 500 ns", "100 GiB/s", "250 ns", 10265},
      {"three dimensions, third: switch, 50 GB/s, 2000 ns", "50 GiB/s", "2000 ns", 23531},
  };
  for (const Hop& hop : hops) {
    Timed timed(hosts(2, hop.rate, hop.each_end), 2, 1);
    results.push_back(exact(astra(hop.name), hop.expected, message_ns(timed), 0));
  }
  Timed ring(switch_ring(), {GpuId(1), GpuId(4)});
  results.push_back(exact(astra("ring of 16, three hops, unaware"), 21031, message_ns(ring), 0));
}

// ---- Max-min ----

// 10 Gbit/s: A->{B,C,D,E}, F->E. 2.5 each, and 7.5.
void add_in_and_out(OracleResults& results) {
  const Platform platform = hosts(6, "10 Gbit/s", "1 us");
  const auto routing = make_routing(platform, {});
  MaxMin solver(nominal_capacities(platform), platform);
  const std::pair<int, int> flows[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {5, 4}};
  std::vector<FlowGroup> groups;
  for (const auto& [from, to] : flows)
    groups.push_back(lower({Phase{std::vector<Edge>{{Rank{0}, Rank{1}, mebibytes(1)}}, 1}},
                           {{GpuId(from), GpuId(to)}}, platform, *routing));
  std::vector<MaxMin::Key> keys;
  keys.reserve(groups.size());
  for (const FlowGroup& group : groups) keys.push_back(solver.add(group));
  solver.solve();
  const char* names[] = {"A to B", "A to C", "A to D", "A to E", "F to E"};
  for (std::size_t i = 0; i < keys.size(); ++i)
    results.push_back(exact(
        {"max-min", std::string("in_and_out, ") + names[i], "Gbit/s", "E", "csg-htsim 841d9e7"},
        i < 4 ? 2.5 : 7.5, solver.rate(keys[i]) * 8 / 1e9));
}

// ---- htsim's validation: 100 Gbit/s, 2 MB flows; its bound, and its own threshold ----

constexpr std::int64_t kFlow = 2'000'000;

OracleName htsim(const std::string& name) {
  return {"packet simulator", name, "us", "S", "csg-htsim validate.txt"};
}

double last_us(const Platform& platform, const RoutingSpec& spec,
               const std::vector<OneFlow>& flows) {
  const auto routing = make_routing(platform, spec);
  const std::vector<double> ends = completions(platform, *routing, flows);
  return 1e6 * *std::max_element(ends.begin(), ends.end());
}

std::vector<OneFlow> incast(int senders) {
  std::vector<OneFlow> flows;
  for (int host = 1; host <= senders; ++host) flows.push_back({host, 0, bytes(kFlow)});
  return flows;
}

void add_incasts(OracleResults& results) {
  const Platform platform = hosts(129, "100 Gbit/s", "1 us");
  results.push_back(
      bound(htsim("one flow"), 160, last_us(platform, {}, {{0, 1, bytes(kFlow)}}), 180));
  results.push_back(bound(htsim("both directions"), 160,
                          last_us(platform, {}, {{0, 1, bytes(kFlow)}, {1, 0, bytes(kFlow)}}),
                          190));
  results.push_back(bound(htsim("incast of 15"), 2400, last_us(platform, {}, incast(15)), 2500));
  results.push_back(
      bound(htsim("incast of 127"), 20320, last_us(platform, {}, incast(127)), 23000));
}

// Everybody sends to one other, and everybody gets from one: a cycle through a random order.
std::vector<OneFlow> permutation(int hosts) {
  std::vector<int> order(static_cast<std::size_t>(hosts));
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(1);
  for (std::size_t i = order.size() - 1; i > 0; --i)
    std::swap(order[i], order[random.below(i + 1)]);
  std::vector<OneFlow> flows;
  for (std::size_t i = 0; i < order.size(); ++i)
    flows.push_back({order[i], order[(i + 1) % order.size()], bytes(kFlow)});
  return flows;
}

void add_permutations(OracleResults& results) {
  RoutingSpec spray, single;
  spray.policy = RoutingPolicy::Spray;
  single.policy = RoutingPolicy::Ecmp;
  single.seed = 1;
  const Platform small = leaves_and_spines({16, 4, 1, "100 Gbit/s"});
  results.push_back(bound(htsim("permutation of 16 nodes, 128 paths"), 160,
                          last_us(small, spray, permutation(16)), 210));
  const Platform large = leaves_and_spines({1024, 32, 1, "100 Gbit/s"});
  results.push_back(bound(htsim("permutation of 1024 nodes, 128 paths"), 160,
                          last_us(large, spray, permutation(1024)), 220));
  results.push_back(bound(htsim("permutation of 1024 nodes, single path"), 160,
                          last_us(large, single, permutation(1024)), 1300));
}

}  // namespace

void add_other_simulators(OracleResults& results) {
  add_astra(results);
  add_in_and_out(results);
}

void add_packet_bounds(OracleResults& results) {
  add_incasts(results);
  add_permutations(results);
}

}  // namespace trainyard
