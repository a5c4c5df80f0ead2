// How evenly each policy loads the fabric, against proofs and closed forms.

#include "network/routing.hpp"
#include "unit/network/routing_graph.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace trainyard {
namespace {

using namespace testing;

// The load of every link if each GPU sends one byte to destination(GPU).
std::vector<double> loads(const Platform& platform, const Routing& routing,
                          const std::function<int(int)>& destination) {
  std::vector<double> load(platform.links.size());
  for (int from = 0; from < platform.gpu_count(); ++from)
    for (const LinkShare& hop : path_of(routing, GpuId(from), GpuId(destination(from))))
      load[hop.link.index()] += hop.share;
  return load;
}

double largest(const std::vector<double>& load) {
  return *std::max_element(load.begin(), load.end());
}

std::vector<Platform> non_blocking_trees() {
  return {
      build(with(tree("fat_tree", "2", "4,4", "1,4", "1,1"), single_gpu_nodes(16))),
      build(with(tree("fat_tree", "2", "6,3", "1,3", "1,2"), single_gpu_nodes(18))),
      build(with(tree("fat_tree", "3", "4,4,4", "1,4,4", "1,1,1"), single_gpu_nodes(64))),
      build(with(tree("fat_tree", "3", "4,4,8", "1,4,2", "1,1,2"), single_gpu_nodes(128))),
      build(with(tree("fat_tree", "3", "6,2,3", "1,3,2", "1,2,2"), single_gpu_nodes(36))),
  };
}

TEST(DModK, CarriesEveryShiftOnANonBlockingTreeWithoutContention) {
  for (const Platform& platform : non_blocking_trees()) {
    const auto routing = make_routing(platform, {});
    const int n = platform.gpu_count();
    for (int shift = 1; shift < n; ++shift)
      EXPECT_EQ(largest(loads(platform, *routing, [&](int from) { return (from + shift) % n; })), 1)
          << "shift " << shift << " of " << n;
  }
}

TEST(DModK, GivesEveryDestinationItsOwnWayDown) {
  // So no permutation at all meets on the way down; here: all sources reversed.
  for (const Platform& platform : non_blocking_trees()) {
    const auto routing = make_routing(platform, {});
    const auto edges = edges_of(platform);
    const int n = platform.gpu_count();
    const auto load = loads(platform, *routing, [&](int from) { return n - 1 - from; });
    for (std::size_t link = 0; link < load.size(); ++link)
      if (!edges[link].up) {
        EXPECT_LE(load[link], 1) << platform.links[link].name;
      }
  }
}

TEST(DModK, OverloadsUplinksByTheOversubscriptionAndNoMore) {
  const int ports_down = 8, ports_up = 2;
  const Platform platform =
      build(with(tree("fat_tree", "2", "8,4", "1,2", "1,1"), single_gpu_nodes(32)));
  const auto routing = make_routing(platform, {});
  const auto load = loads(platform, *routing, [&](int from) { return (from + ports_down) % 32; });
  EXPECT_EQ(largest(load), ports_down / ports_up);
}

TEST(Spray, UsesEveryShortestPathEqually) {
  for (const Platform& platform : non_blocking_trees()) {
    RoutingSpec spec;
    spec.policy = RoutingPolicy::Spray;
    const auto routing = make_routing(platform, spec);
    const int n = platform.gpu_count();
    // Half-way round: every path crosses the top, so every link carries the same.
    for (const double load :
         loads(platform, *routing, [&](int from) { return (from + n / 2) % n; }))
      EXPECT_NEAR(load, 1, 1e-9);
  }
}

// The mean number of balls in the fullest bin, exactly: P(fullest <= m) is
// balls! / bins^balls times the coefficient of x^balls in (sum over k <= m of x^k / k!)^bins.
double expected_fullest_bin(int balls, int bins) {
  double mean = 0;
  for (int m = 0; m < balls; ++m) {
    std::vector<double> chance(static_cast<std::size_t>(balls) + 1);  // scaled by k! / bins^k
    chance[0] = 1;
    for (int bin = 0; bin < bins; ++bin)
      for (int k = balls; k >= 0; --k) {
        double sum = 0;
        for (int here = std::min(k, m); here >= 0; --here)
          sum += chance[static_cast<std::size_t>(k - here)] *
                 std::exp(std::lgamma(k + 1) - std::lgamma(here + 1) - std::lgamma(k - here + 1) -
                          here * std::log(bins));
        chance[static_cast<std::size_t>(k)] = sum;
      }
    mean += 1 - chance[static_cast<std::size_t>(balls)];
  }
  return mean;
}

struct Sample {
  std::vector<double> values;
  double mean() const {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }
  // Half the width of the 99.9 % confidence interval of the mean.
  double margin() const {
    double squares = 0;
    for (const double value : values) squares += (value - mean()) * (value - mean());
    const auto n = static_cast<double>(values.size());
    return 3.29 * std::sqrt(squares / (n - 1) / n);
  }
};

// n flows from leaf 0 to leaf 1, over n uplinks, under many seeds: links used, and the fullest.
struct EcmpExperiment {
  Sample used, fullest;
};

EcmpExperiment hash_flows(int n, int queue_pairs, int cables) {
  const std::string nodes = std::to_string(n);
  const Platform platform =
      build(with(tree("fat_tree", "2", nodes + ",2", "1," + std::to_string(n / cables),
                      "1," + std::to_string(cables)),
                 single_gpu_nodes(2 * n)));
  EcmpExperiment result;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto routing = make_routing(platform, {RoutingPolicy::Ecmp, queue_pairs, seed});
    std::vector<int> load(platform.links.size());
    for (int flow = 0; flow < n; ++flow)
      for (int pair = 0; pair < queue_pairs; ++pair)
        ++load[path_of(*routing, GpuId(flow), GpuId(n + flow), pair)[1].link.index()];
    result.used.values.push_back(static_cast<double>(
        std::count_if(load.begin(), load.end(), [](int flows) { return flows > 0; })));
    result.fullest.values.push_back(*std::max_element(load.begin(), load.end()) /
                                    static_cast<double>(queue_pairs));
  }
  return result;
}

TEST(Ecmp, UsesTheShareOfUplinksThatRandomHashingLeaves) {
  for (const int n : {4, 8, 16, 32})
    for (const int cables : {1, 2}) {
      const Sample used = hash_flows(n, 1, cables).used;
      EXPECT_NEAR(used.mean(), n * (1 - std::pow(1 - 1.0 / n, n)), used.margin()) << "n = " << n;
    }
}

TEST(Ecmp, SlowsTheSlowestFlowAsTheFullestBinDoes) {
  EXPECT_NEAR(expected_fullest_bin(8, 8), 2.597, 5e-4);  // published values of the closed form
  EXPECT_NEAR(expected_fullest_bin(4 * 8, 8) / 4, 1.762, 5e-4);
  for (const int n : {8, 16})
    for (const int queue_pairs : {1, 2, 4}) {
      const Sample fullest = hash_flows(n, queue_pairs, 1).fullest;
      EXPECT_NEAR(fullest.mean(), expected_fullest_bin(n * queue_pairs, n) / queue_pairs,
                  fullest.margin())
          << n << " flows of " << queue_pairs << " queue pairs";
    }
}

TEST(Ecmp, ChoosesIndependentlyAtEveryLevelAndGoingDown) {
  // Leaf, spine and the cable down: 2 x 2 x 2 equally likely ways between two far GPUs.
  const Platform platform =
      build(with(tree("fat_tree", "3", "2,2,2", "1,2,1", "1,1,2"), single_gpu_nodes(8)));
  std::map<std::string, int> ways;
  const int seeds = 8000;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto routing = make_routing(platform, {RoutingPolicy::Ecmp, 1, seed});
    std::string way;
    for (const LinkShare& hop : path_of(*routing, GpuId(0), GpuId(7)))
      way += platform.links[hop.link.index()].name + " ";
    ++ways[way];
  }
  EXPECT_EQ(ways.size(), 8u);
  const double expected = seeds / 8.0;
  for (const auto& [way, count] : ways)
    EXPECT_NEAR(count, expected, 4.5 * std::sqrt(expected * 7 / 8)) << way;
}

TEST(Ecmp, DependsOnTheSeedAndTheQueuePair) {
  const Platform platform =
      build(with(tree("fat_tree", "2", "16,2", "1,16", "1,1"), single_gpu_nodes(32)));
  const auto links = [&](std::uint64_t seed, int queue_pair) {
    const auto routing = make_routing(platform, {RoutingPolicy::Ecmp, 2, seed});
    std::vector<LinkId> ids;
    ids.reserve(16);
    for (int flow = 0; flow < 16; ++flow)
      ids.push_back(path_of(*routing, GpuId(flow), GpuId(16 + flow), queue_pair)[1].link);
    return ids;
  };
  EXPECT_EQ(links(1, 0), links(1, 0));
  EXPECT_NE(links(1, 0), links(2, 0));
  EXPECT_NE(links(1, 0), links(1, 1));
  EXPECT_EQ(make_routing(platform, {RoutingPolicy::Ecmp, 2, 0})->queue_pairs(), 2);
  EXPECT_EQ(make_routing(platform, {RoutingPolicy::Static, 2, 0})->queue_pairs(), 1);
}

}  // namespace
}  // namespace trainyard
