// Errors of properties: exact texts, with the place where the user wrote the value.

#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using namespace testing;

// What building says about these properties; "" if nothing.
std::string complaint(const PropertyList& list) {
  try {
    build(list);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Line n + 1 of test.xml holds the n-th of these; whatever is changed stays in its line.
PropertyList sound() {
  return {{"topology", "fat_tree"},  // line 2
          {"nodes", "4"},            // 3
          {"gpus_per_node", "2"},    // 4
          {"nvlink_bandwidth", "450 GB/s"},
          {"nvlink_latency", "1 us"},  // 6
          {"nic_bandwidth", "50 GB/s"},
          {"nic_latency", "1 us"},  // 8
          {"levels", "2"},
          {"down", "4,2"},  // 10
          {"oversubscription", "2"},
          {"switch_bandwidth", "50 GB/s"},  // 12
          {"switch_latency", "100 ns"}};
}

PropertyList changed(const std::string& id, const std::string& value) {
  PropertyList list = sound();
  for (auto& property : list)
    if (property.first == id) property.second = value;
  return list;
}

PropertyList without(const std::string& id) {
  PropertyList list = sound();
  for (auto& property : list)
    if (property.first == id) property = {"routing", "static"};
  return list;
}

struct Case {
  PropertyList list;
  std::string complaint;
};

void expect_complaints(const std::vector<Case>& cases) {
  for (const Case& each : cases) EXPECT_EQ(complaint(each.list), each.complaint);
}

TEST(PropertyErrors, AreNoneForASoundFile) { EXPECT_EQ(complaint(sound()), ""); }

TEST(PropertyErrors, NameMisspeltAndUnknownProperties) {
  expect_complaints({
      {with(without("nodes"), {{"nods", "4"}}),
       "test.xml:14:5: fabric.nods: unknown property; did you mean 'nodes'?"},
      {with(sound(), {{"cable", "1,2"}}),
       "test.xml:14:5: fabric.cable: unknown property; did you mean 'cables'?"},
      {with(sound(), {{"colour_of_rack", "grey"}}),
       "test.xml:14:5: fabric.colour_of_rack: unknown property; known: topology, gpu, "
       "cpu_vendor, network, nvlinks_per_gpu, nvls, sharp_trees, routing, "
       "calibration, nodes, gpus_per_node, gpus_per_domain, nvlink_bandwidth, nvlink_latency, "
       "nvlink_layout, nics_per_node, nic_bandwidth, nic_latency, pcie_bandwidth, pcie_latency, "
       "gpus_per_pcie_switch, levels, down, cables, switch_latency, switch_bandwidth, up, "
       "oversubscription"},
      {without("nodes"), "test.xml:1:3: fabric.nodes: is missing"},
      {changed("topology", "fat_three"),
       "test.xml:2:5: fabric.topology: unknown value 'fat_three'; did you mean 'fat_tree'?"},
      {with(sound(), {{"routing", "magic"}}),
       "test.xml:14:5: fabric.routing: unknown value 'magic'; known: static, ecmp, spray, "
       "adaptive"},
  });
}

TEST(PropertyErrors, NameValuesThatAreNoQuantities) {
  const std::string units =
      "units: B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, bit/s, kbit/s, Mbit/s, Gbit/s, "
      "Tbit/s";
  expect_complaints({
      {changed("nic_bandwidth", "50"),
       "test.xml:7:5: fabric.nic_bandwidth: '50' has no unit; " + units},
      {changed("nic_bandwidth", "-50 GB/s"),
       "test.xml:7:5: fabric.nic_bandwidth: must be positive, got '-50 GB/s'"},
      {changed("nic_latency", "-1 us"),
       "test.xml:8:5: fabric.nic_latency: must not be negative, got '-1 us'"},
      {changed("nodes", "-4"), "test.xml:3:5: fabric.nodes: must be a positive integer, got '-4'"},
      {changed("nodes", "4.5"),
       "test.xml:3:5: fabric.nodes: must be a positive integer, got '4.5'"},
      {changed("gpus_per_node", "0"),
       "test.xml:4:5: fabric.gpus_per_node: must be a positive integer, got '0'"},
      {changed("down", "4,"), "test.xml:10:5: fabric.down: must be a positive integer, got ''"},
      {changed("nodes", " "), "test.xml:3:5: fabric.nodes: is empty"},
      {changed("oversubscription", "2,1"),
       "test.xml:11:5: fabric.oversubscription: 2 values, but levels = 2 has 1 with uplinks"},
      {changed("oversubscription", "0"),
       "test.xml:11:5: fabric.oversubscription: must be a positive number, got '0'"},
  });
}

TEST(PropertyErrors, NameBothSidesOfAContradiction) {
  expect_complaints({
      {with(sound(), {{"up", "1,2"}}),
       "test.xml:11:5: fabric.oversubscription: contradicts 'up': both say how many parents a "
       "switch has; give one"},
      {without("oversubscription"),
       "test.xml:1:3: fabric.up: is missing; give 'up' or 'oversubscription'"},
      {changed("oversubscription", "3"),
       "test.xml:11:5: fabric.oversubscription: 3 cannot be built: 4 ports of 50 GB/s down (from "
       "'down') need 1.333 uplinks of 50 GB/s, which is no multiple of the 1 to each "
       "parent (from 'cables')"},
      {changed("down", "4"), "test.xml:10:5: fabric.down: 1 values, but levels = 2"},
      {changed("down", "2,2"),
       "test.xml:10:5: fabric.down: multiplies to 4, less than the 8 endpoints of 'nodes'"},
      {with(sound(), {{"cables", "2,1"}}),
       "test.xml:14:5: fabric.cables: must begin with 1: an endpoint has one cable to one leaf, "
       "got '2'"},
      {with(sound(), {{"nics_per_node", "3"}}),
       "test.xml:14:5: fabric.nics_per_node: 3 NICs cannot serve gpus_per_node = 2 GPUs evenly"},
      {changed("gpus_per_node", "1"),
       "test.xml:5:5: fabric.nvlink_bandwidth: has no meaning if gpus_per_node is 1"},
      {with(changed("levels", "1"), {}), "test.xml:10:5: fabric.down: 2 values, but levels = 1"},
      {changed("switch_latency", "1 us,2 us,3 us"),
       "test.xml:13:5: fabric.switch_latency: 3 values, but 'levels' asks for 1 or 2"},
  });
}

TEST(PropertyErrors, NameTheLimitsThatATypingErrorWouldPass) {
  expect_complaints({
      {changed("nodes", "2000000000"),
       "test.xml:4:5: fabric.gpus_per_node: 2000000000 nodes of 2 GPUs are more than 1000000 GPUs"},
      {changed("levels", "9"), "test.xml:9:5: fabric.levels: must be at most 8, got '9'"},
      {changed("down", "40000000,1"),
       "test.xml:10:5: fabric.down: the tree would have more than 4000000 cables"},
      {changed("nodes", "3000000000"),
       "test.xml:3:5: fabric.nodes: must be a positive integer, got '3000000000'"},
  });
}

TEST(PropertyErrors, TellAnIllegalValueFromAnImpossiblePlan) {
  EXPECT_THROW(build(changed("nodes", "x")), InputError);
  EXPECT_THROW(build(changed("oversubscription", "3")), InfeasibleError);
  EXPECT_THROW(build(changed("down", "2,2")), InfeasibleError);
}

TEST(PropertyErrors, NameTheLeafPortsThatARailNeeds) {
  PropertyList rail = changed("topology", "rail_optimized");
  rail.emplace_back("nodes_per_unit", "3");
  EXPECT_EQ(complaint(rail),
            "test.xml:14:5: fabric.nodes_per_unit: 3 nodes put as many endpoints on a rail's leaf, "
            "but 'down' begins with 4");
}

TEST(Properties, GivenTwiceAreAnErrorAtTheSecondPlace) {
  try {
    properties_of({{"nodes", "1"}, {"nodes", "2"}});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "test.xml:3:5: fabric.nodes: given twice, first at test.xml:2:5");
  }
}

TEST(Properties, OverriddenReportTheOverridesPlace) {
  Properties properties = properties_of(sound());
  properties.override_with("oversubscription", {"1.5", {"experiment.yaml", 7, 9}});
  try {
    build_platform(properties);
    FAIL() << "accepted";
  } catch (const InfeasibleError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind("experiment.yaml:7:9: fabric.oversubscription: 1.5 cannot", 0), 0u)
        << what;
  }
}

TEST(Properties, HaveTheDefaultsThatTheFormatDocuments) {
  const Platform platform = build(sound());
  EXPECT_EQ(platform.default_routing, RoutingPolicy::Static);
  EXPECT_EQ(platform.calibration, "assumed");
  EXPECT_EQ(platform.nics.size(), platform.gpus.size());
  EXPECT_EQ(platform.name, "fabric");
  const Platform other = build(with(sound(), {{"routing", "spray"}, {"calibration", "a log"}}));
  EXPECT_EQ(other.default_routing, RoutingPolicy::Spray);
  EXPECT_EQ(other.calibration, "a log");
  EXPECT_EQ(build(with(sound(), {{"routing", "ecmp"}})).default_routing, RoutingPolicy::Ecmp);
}

}  // namespace
}  // namespace trainyard
