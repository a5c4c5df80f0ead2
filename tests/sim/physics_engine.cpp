// The engine's traps that Trainyard's results rely on having avoided (SimGrid 3.32).

#include "base/error.hpp"
#include "platforms/graph_spec.hpp"
#include "sim/physics_fabrics.hpp"
#include "support/collective_timing.hpp"

#include <gtest/gtest.h>
#include <xbt/config.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace trainyard {
namespace {

using namespace testing;
namespace s4u = simgrid::s4u;

constexpr double kTolerance = 1e-3;  // what the models promise; formulas are exact

TEST(Engine, RunsWithTheNetworkConfigurationItReports) {
  Simulation simulation;
  const Platform platform = one_switch(2);
  const auto routing = make_routing(platform, {});
  simulation.build(platform, *routing, nominal_capacities(platform), NetworkModel::Simgrid);
  EXPECT_EQ(simgrid::config::get_value<std::string>("network/model"), "CM02");
  EXPECT_EQ(simgrid::config::get_value<bool>("network/crosstraffic"), false);
  EXPECT_EQ(simgrid::config::get_value<double>("network/TCP-gamma"), 1e18);
  // CM02's own: no factors, no weight for latency.
  EXPECT_EQ(simgrid::config::get_value<double>("network/weight-S"), 0);
  EXPECT_EQ(simgrid::config::get_value<double>("network/latency-factor"), 1);
  EXPECT_EQ(simgrid::config::get_value<double>("network/bandwidth-factor"), 1);
  for (const char* setting :
       {"network/model:CM02", "network/crosstraffic:no", "network/TCP-gamma:1e18"})
    EXPECT_NE(simulation.configuration().find(setting), std::string::npos) << setting;
}

// Two senders to one host, one below its leaf and one across the spine. Each starts after its own
// latency; from the second's start on each has half of the NIC. The near one is ahead by far - near
// and ends when the rest of it has passed at half rate; the NIC is busy from `near` on, for two
// buffers.
TEST(Engine, SharesEquallyBetweenUnequalLatencies) {
  const Bytes size = mebibytes(64);
  const double alone = count(size) / kNic, near = kOneSwitch, far = kThroughSpine;
  const Fabric fabric{leaf_and_spine(2, 4, 4)};
  for (const NetworkModel model : {NetworkModel::Flow, NetworkModel::Simgrid}) {
    const Timed timed = time_in_child(
        fabric, model, {send(GpuId(1), GpuId(0), size), send(GpuId(4), GpuId(0), size)});
    EXPECT_NEAR(timed.ends[0], far + 2 * (alone - (far - near)), 1e-9);
    EXPECT_NEAR(timed.ends[1], near + 2 * alone, 1e-9);
  }
}

// Cross-traffic would take 5 % of a NIC that sends and receives at once.
TEST(Engine, LetsNicsSendAndReceiveAtFullRate) {
  const int n = 8;
  const Bytes size = mebibytes(64);
  const CollectiveJob ring = job(CollectiveKind::AllReduce, "ring", n, size);
  const double one_way = 2 * (n - 1) * kOneSwitch + 2.0 * (n - 1) / n * count(size) / kNic;
  for (const NetworkModel model : {NetworkModel::Flow, NetworkModel::Simgrid}) {
    const Timed pair = time_in_child(
        {one_switch(2)}, model, {send(GpuId(0), GpuId(1), size), send(GpuId(1), GpuId(0), size)});
    for (const double end : pair.ends)
      EXPECT_NEAR(end, kOneSwitch + count(size) / kNic, end * kTolerance);
    const Timed alone = time_in_child({one_switch(n)}, model, {ring});
    EXPECT_NEAR(alone.last(), one_way, one_way * kTolerance);
  }
}

// TCP's window would cap a flow at 4 MiB / (2 x 20 us) = 105 GB/s.
TEST(Engine, DoesNotCapALinkOf900GigabytesPerSecondAtTenMicroseconds) {
  const Platform platform = build({{"topology", "nvlink_domain"},
                                   {"gpus_per_node", "4"},
                                   {"nvlink_bandwidth", "900 GB/s"},
                                   {"nvlink_latency", "10 us"}});
  const Bytes size = gibibytes(1);
  const double expected = 2 * 10e-6 + count(size) / 900e9;
  for (const NetworkModel model : {NetworkModel::Flow, NetworkModel::Simgrid})
    EXPECT_NEAR(time_in_child({platform}, model, {send(GpuId(0), GpuId(3), size)}).last(), expected,
                expected * kTolerance);
}

TEST(Engine, ReportsAnActorThatWaitsForEverAsAnError) {
  Simulation simulation;
  const Platform platform = one_switch(2);
  const auto routing = make_routing(platform, {});
  simulation.build(platform, *routing, nominal_capacities(platform), NetworkModel::Flow);
  const auto never = s4u::Semaphore::create(0);
  s4u::Actor::create("patient", simulation.host(GpuId(0)), [&] {
    s4u::this_actor::sleep_for(2);
    never->acquire();
  });
  try {
    simulation.run([] { return "patient waits for a message"; });
    FAIL() << "a deadlock must not be a result";
  } catch (const SimulationError& error) {
    EXPECT_EQ(error.exit_code(), 4);
    EXPECT_NE(std::string(error.what()).find("patient waits for a message"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("t=2"), std::string::npos);
  }
}

TEST(Engine, RefusesASecondSimulationInAProcess) {
  { Simulation first; }
  EXPECT_THROW(Simulation second, std::logic_error);
}

// ---- Our own zone ----

// Every pair as SimGrid sees it, by link names, against the routing it was built from.
void expect_zone_follows(const Platform& platform, const RoutingSpec& spec) {
  Simulation simulation;
  const auto routing = make_routing(platform, spec);
  simulation.build(platform, *routing, nominal_capacities(platform), NetworkModel::Simgrid);
  for (int from = 0; from < platform.gpu_count(); ++from)
    for (int to = 0; to < platform.gpu_count(); ++to) {
      std::vector<s4u::Link*> links;
      double latency = 0;
      simulation.host(GpuId(from))->route_to(simulation.host(GpuId(to)), links, &latency);
      std::vector<LinkShare> path;
      routing->append_path(GpuId(from), GpuId(to), 0, path);
      ASSERT_EQ(links.size(), path.size()) << from << " to " << to;
      for (std::size_t hop = 0; hop < path.size(); ++hop)
        EXPECT_EQ(links[hop]->get_name(), platform.links[path[hop].link.index()].name);
      EXPECT_EQ(latency, 0);  // paid outside: SimGrid would weigh sharing by it
    }
}

TEST(FabricZone, GivesEveryPairTheRoutingsPathAndNoLatency) {
  expect_zone_follows(build(with(tree("rail_optimized", "2", "2,8", "1,2", "1,1"),
                                 with(nvlink_nodes(4, 4), {{"nodes_per_unit", "2"}}))),
                      {});
}

TEST(FabricZone, GivesEveryPairItsHashedPath) {
  expect_zone_follows(
      build(with(tree("fat_tree", "3", "4,2,3", "1,2,2", "1,2,2"), single_gpu_nodes(24))),
      {RoutingPolicy::Ecmp, 1, 5});
}

TEST(FabricZone, NumbersHostsByGpuWhateverTheirNamesSortLike) {
  Simulation simulation;
  const Platform platform = one_switch(12);  // as text, gpu10 sorts before gpu2
  const auto routing = make_routing(platform, {});
  simulation.build(platform, *routing, nominal_capacities(platform), NetworkModel::Flow);
  for (int gpu = 0; gpu < 12; ++gpu)
    EXPECT_EQ(simulation.host(GpuId(gpu))->get_name(), "gpu" + std::to_string(gpu));
}

// ---- The shipped files ----

TEST(ShippedPlatform, IsAFileThatSimGridsOwnParserAccepts) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(TRAINYARD_SOURCE_DIR) + "/platforms")) {
    if (entry.path().extension() != ".xml") continue;
    ++files;
    // A fresh engine each; one that fails throws, or aborts the child.
    const std::vector<double> names_a_topology = in_child([&]() -> std::vector<double> {
      const s4u::Engine engine("parser");
      engine.load_platform(entry.path().string());
      const s4u::NetZone* zone = engine.get_netzone_root();
      if (!zone->get_children().empty()) zone = zone->get_children().front();
      return {zone->get_property("topology") ? 1.0 : 0.0};
    });
    EXPECT_EQ(names_a_topology, std::vector<double>{1}) << entry.path();
  }
  EXPECT_GE(files, 5);
}

// Two hundred leaves, each below spines of its own: no two cable runs fold into one.
TEST(WrittenPlatform, IsAFileThatSimGridsOwnParserAcceptsHoweverLongItsLists) {
  GraphSpec spec;
  spec.kinds.resize(1);
  spec.kinds[0].name = "one";
  spec.kinds[0].nics.push_back({"ib0", gigabytes_per_second(50), microseconds(1), {0}});
  for (int leaf = 0; leaf < 200; ++leaf) {
    const std::string number = std::to_string(leaf * 7 % 200);
    spec.nodes.push_back({"node" + number, "one"});
    spec.switches.push_back({"leaf" + number, nanoseconds(100)});
    spec.cables.push_back({"node" + number + "/ib0", "leaf" + number, gigabytes_per_second(50),
                           nanoseconds(10 + leaf), 1});
  }
  const std::string text = to_xml(spec, "long");
  ASSERT_GT(text.size(), 8192u) << "longer than the parser's first buffer";
  const std::string file = std::filesystem::temp_directory_path() /
                           ("trainyard_lists_" + std::to_string(getpid()) + ".xml");
  std::ofstream(file) << text;
  const std::vector<double> length = in_child([&]() -> std::vector<double> {
    const s4u::Engine engine("parser");
    engine.load_platform(file);
    const s4u::NetZone* zone = engine.get_netzone_root();
    if (!zone->get_children().empty()) zone = zone->get_children().front();
    return {static_cast<double>(std::string(zone->get_property("cables")).size())};
  });
  std::filesystem::remove(file);
  ASSERT_EQ(length.size(), 1u);
  EXPECT_GT(length[0], 6000);
}

}  // namespace
}  // namespace trainyard
