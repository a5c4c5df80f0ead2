// Plain SimGrid platforms: hosts in natural order, SimGrid's own routes, both models alike.

#include "base/error.hpp"
#include "sim/physics_models.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace trainyard {
namespace {

using namespace testing;
namespace s4u = simgrid::s4u;

std::string fixture(const std::string& name) {
  return std::string(TRAINYARD_SOURCE_DIR) + "/tests/data/platforms/" + name;
}

// A file of the reference data; empty if it is not there.
std::string reference_file(const std::string& name) {
  const char* data = std::getenv("TRAINYARD_DATA");
  const std::string file = std::string(data ? data : "") + "/data/fabric/" + name;
  return std::filesystem::exists(file) ? file : "";
}

// Every pair's links and latency as SimGrid has them, asked for directly. Returns the pairs.
int expect_routes_of_simgrid(const Platform& platform, const Routing& routing,
                             const std::vector<s4u::Host*>& hosts) {
  int pairs = 0;
  for (std::size_t from = 0; from < hosts.size(); ++from)
    for (std::size_t to = 0; to < hosts.size(); ++to) {
      if (from == to) continue;
      const GpuId source(static_cast<std::int64_t>(from)), target(static_cast<std::int64_t>(to));
      std::vector<s4u::Link*> links;
      double latency = 0;
      hosts[from]->route_to(hosts[to], links, &latency);
      std::vector<LinkShare> path;
      routing.append_path(source, target, 0, path);
      EXPECT_EQ(path.size(), links.size());
      for (std::size_t hop = 0; hop < std::min(path.size(), links.size()); ++hop) {
        EXPECT_EQ(platform.links[path[hop].link.index()].name, links[hop]->get_name());
        EXPECT_EQ(path[hop].share, 1);
      }
      EXPECT_NEAR(in_seconds(routing.latency(source, target)), latency, 1e-15);  // rounding
      ++pairs;
    }
  return pairs;
}

void expect_loads_with(const std::string& file, int expected_hosts) {
  Simulation simulation;
  const Platform platform = simulation.load_plain(file);
  ASSERT_EQ(platform.gpu_count(), expected_hosts);
  const auto routing = simulation.plain_routing(platform);
  simulation.build(platform, *routing, nominal_capacities(platform), NetworkModel::Flow);
  std::vector<s4u::Host*> hosts;
  for (int gpu = 0; gpu < expected_hosts; ++gpu) {
    hosts.push_back(simulation.host(GpuId(gpu)));
    EXPECT_EQ(platform.nodes[static_cast<std::size_t>(gpu)].name, hosts.back()->get_name());
  }
  EXPECT_EQ(expect_routes_of_simgrid(platform, *routing, hosts),
            expected_hosts * (expected_hosts - 1));
}

void expect_ring_alike(const std::string& file, int hosts) {
  Fabric fabric;
  fabric.plain_file = file;
  const Difference off =
      difference(fabric, {job(CollectiveKind::AllReduce, "ring", hosts, mebibytes(64))});
  EXPECT_LE(std::abs(off.time), 1e-3);
  EXPECT_LE(off.bytes, 1e-9);
}

TEST(PlainPlatform, OfOurOwnHasItsHostsInNaturalOrderAndSimGridsRoutes) {
  expect_loads_with(fixture("two_racks.xml"), 8);
}

// 10 GB/s NICs; the ring crosses the trunk once each way, so it is not felt. Latency: the slowest
// edge is NIC, trunk, NIC.
TEST(PlainPlatform, OfOurOwnTimesARingByItsClosedForm) {
  const int n = 8;
  const Bytes size = mebibytes(64);
  Fabric fabric;
  fabric.plain_file = fixture("two_racks.xml");
  const std::vector<CollectiveJob> ring = {job(CollectiveKind::AllGather, "ring", n, size)};
  const double fluid = (n - 1.0) / n * count(size) / 10e9, slowest = 2e-6 + 5e-6 + 2e-6;
  const double measured = time_in_child(fabric, NetworkModel::Flow, ring).last();
  EXPECT_NEAR(measured, (n - 1) * slowest + fluid, measured * 1e-3);
  expect_ring_alike(fixture("two_racks.xml"), n);
}

TEST(PlainPlatform, WithoutAHostIsTheUsersMistake) {
  for (const std::string& file :
       {fixture("no_host.xml"), std::string(TRAINYARD_SOURCE_DIR) + "/platforms/tiny_2x4.xml"}) {
    const std::vector<double> code = in_child([&]() -> std::vector<double> {
      Simulation simulation;
      try {
        simulation.load_plain(file);
      } catch (const InputError& error) {
        const bool names_it = std::string(error.what()).find(file) != std::string::npos;
        return {static_cast<double>(error.exit_code()), names_it ? 1.0 : 0.0};
      }
      return {0, 0};
    });
    EXPECT_EQ(code, (std::vector<double>{2, 1})) << file;
  }
}

TEST(PlainPlatform, ThatSimGridCannotLoadIsTheUsersMistake) {
  Simulation simulation;
  EXPECT_THROW(simulation.load_plain(fixture("not_there.xml")), InputError);
}

TEST(PlainPlatform, SimGridsFatTreeExampleLoadsAndRunsAlikeInBothModels) {
  const std::string file = reference_file("simgrid-cluster_fat_tree.xml");
  if (file.empty()) GTEST_SKIP() << "no reference data in TRAINYARD_DATA";
  expect_ring_alike(file, 16);
  expect_loads_with(file, 16);
}

TEST(PlainPlatform, SimGridsGriffonExampleLoadsAndRunsAlikeInBothModels) {
  const std::string file = reference_file("simgrid-griffon.xml");
  if (file.empty()) GTEST_SKIP() << "no reference data in TRAINYARD_DATA";
  expect_ring_alike(file, 92);
  expect_loads_with(file, 92);
}

}  // namespace
}  // namespace trainyard
