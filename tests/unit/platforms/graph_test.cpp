// Irregular sites: written, read and built; and what is wrong with them, said.

#include "base/hostlist.hpp"
#include "base/rng.hpp"
#include "platforms/graph/cable_list.hpp"
#include "platforms/graph/name_list.hpp"
#include "platforms/graph_spec.hpp"
#include "platforms/xml.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using namespace testing;

std::vector<std::string> parsed(const std::string& text) {
  const Hostlist list = expand_hostlist(text, "/+");
  EXPECT_EQ(list.problem, "") << text;
  return list.names;
}

TEST(NameList, WritesNeighboursAsARange) {
  EXPECT_EQ(to_name_list({"leaf0", "leaf1", "leaf2", "spine0"}), "leaf[0-2],spine0");
  EXPECT_EQ(to_name_list({"n08", "n09", "n10"}), "n[08-10]");
  EXPECT_EQ(to_name_list({"a0/nic0", "a0/nic1", "a1/nic0", "a1/nic1"}), "a[0-1]/nic[0-1]");
  EXPECT_EQ(to_name_list({"n1", "n01", "n3"}), "n1,n01,n3");
}

// A name of a few letters and numbers: series, near series, and none.
std::string random_name(RandomStream& random) {
  std::string name = random.below(2) == 0 ? "n" : "rack" + std::to_string(random.below(3)) + "-";
  if (random.below(3) == 0) name += "0";
  return name + std::to_string(random.below(12)) + (random.below(2) == 0 ? "" : "s");
}

TEST(NameList, ReadsBackWhateverItWrote) {
  RandomStream random(5);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::string> names;
    for (std::uint64_t i = random.below(30) + 1; i > 0; --i) names.push_back(random_name(random));
    if (random.below(2) == 0) std::sort(names.begin(), names.end());
    EXPECT_EQ(parsed(to_name_list(names)), names);
  }
}

GraphSpec::Cable cable(const std::string& a, const std::string& b, int count = 1) {
  return {a, b, gigabytes_per_second(50), nanoseconds(10), count};
}

std::vector<std::string> ends(const std::vector<GraphSpec::Cable>& cables) {
  std::vector<std::string> texts;
  for (const auto& each : cables)
    texts.push_back(each.a + " " + each.b + " " + std::to_string(each.count));
  return texts;
}

TEST(CableList, SpeltOutIsWhatItWasMadeOf) {
  RandomStream random(6);
  for (int round = 0; round < 300; ++round) {
    std::vector<GraphSpec::Cable> cables;
    while (cables.size() < 40) {
      const int rows = static_cast<int>(random.below(4)) + 1;
      const int columns = static_cast<int>(random.below(4)) + 1;
      const auto shape = random.below(3);
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
          cables.push_back(
              cable("a" + std::to_string(r) + (shape == 2 ? "." + std::to_string(c) : ""),
                    shape == 0 ? random_name(random) : "b" + std::to_string(c),
                    static_cast<int>(random.below(8) / 7) + 1));
    }
    std::vector<GraphSpec::Cable> back;
    for (const CableRun& run : to_runs(cables)) append_cables(run, back);
    EXPECT_EQ(ends(back), ends(cables));
  }
}

// A pod of rails: 1,024 nodes of 8 GPUs, 32 a unit, every leaf below 8 spines.
GraphSpec large_site() {
  GraphSpec spec;
  GraphSpec::NodeKind dgx;
  dgx.name = "dgx";
  dgx.gpus = 8;
  dgx.nvswitch = GraphSpec::Nvswitch{gigabytes_per_second(450), nanoseconds(500)};
  for (int nic = 0; nic < 8; ++nic)
    dgx.nics.push_back(
        {"nic" + std::to_string(nic), gigabytes_per_second(50), microseconds(0.5), {nic}});
  spec.kinds = {dgx};
  for (int node = 0; node < 1024; ++node) {
    spec.nodes.push_back({"node" + std::to_string(node), "dgx"});
    for (int nic = 0; nic < 8; ++nic)
      spec.cables.push_back(cable(spec.nodes.back().name + "/nic" + std::to_string(nic),
                                  "leaf" + std::to_string(node / 32 * 8 + nic)));
  }
  for (int leaf = 0; leaf < 256; ++leaf) {
    spec.switches.push_back({"leaf" + std::to_string(leaf), nanoseconds(130)});
    for (int spine = 0; spine < 8; ++spine)
      spec.cables.push_back(
          cable("leaf" + std::to_string(leaf), "spine" + std::to_string(spine), 4));
  }
  for (int spine = 0; spine < 8; ++spine)
    spec.switches.push_back({"spine" + std::to_string(spine), nanoseconds(130)});
  return spec;
}

TEST(GraphSpec, KeepsASiteOfAThousandNodesReadable) {
  const std::string text = to_xml(large_site(), "pod");
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 60);
  EXPECT_NE(text.find("node[0-31]/nic[0-7] leaf[0-7]: 50 GB/s, 10 ns"), std::string::npos) << text;
  EXPECT_NE(text.find("leaf[0-255] x spine[0-7]: 50 GB/s, 10 ns, 4"), std::string::npos);
}

std::string rewritten(const std::string& text) {
  Properties properties("site", {"site.xml", 1, 1});
  for (std::size_t at = text.find("<prop id=\""); at != std::string::npos;
       at = text.find("<prop id=\"", at + 1)) {
    const std::size_t id = at + 10, id_end = text.find('"', id);
    const std::size_t value = text.find("value=\"", id_end) + 7, end = text.find('"', value);
    properties.add(text.substr(id, id_end - id), {text.substr(value, end - value), {}});
  }
  return to_xml(read_graph(properties), "site");
}

TEST(GraphSpec, IsWrittenReadAndWrittenAgainToTheSameBytes) {
  Properties properties = properties_of(irregular_site());
  for (const GraphSpec& spec : {large_site(), read_graph(properties)}) {
    const std::string text = to_xml(spec, "site");
    EXPECT_EQ(rewritten(text), text);
  }
}

TEST(GraphSpec, IsBuiltAlikeFromTheFileAndFromTheData) {
  const Hardware hardware = {"H100", "intel", "infiniband", 18, false, 0};
  const GraphSpec spec = large_site();
  const Platform file = parse_platform("pod.xml", to_xml(spec, "pod", hardware, "a <b> & \"c\""));
  const Platform data = build_graph(spec);
  ASSERT_EQ(file.links.size(), data.links.size());
  for (std::size_t i = 0; i < data.links.size(); ++i) {
    EXPECT_EQ(file.links[i].name, data.links[i].name);
    EXPECT_EQ(file.links[i].bandwidth, data.links[i].bandwidth);
    EXPECT_EQ(file.links[i].latency, data.links[i].latency);
  }
  EXPECT_EQ(file.hardware.gpu, "H100");
  EXPECT_TRUE(file.hardware.nvls);
  EXPECT_EQ(file.calibration, "a <b> & \"c\"");
  EXPECT_EQ(file.name, "pod");
}

TEST(GraphPlatform, HasLevelsByTheWayToTheNextNic) {
  const Platform platform = build(irregular_site());
  const int levels[] = {1, 1, 2, 2, 3};  // sw0 and sw1 hold NICs; sw2, sw3 hang on them; sw4 joins
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(platform.switches[i].level, levels[i]);
  EXPECT_EQ(platform.switches[0].up.size(), 2u);  // two cables to sw2
  EXPECT_EQ(platform.switches[4].down.size(), 4u);
}

TEST(GraphPlatform, ConnectsGpusToTheNicsThatAreNear) {
  const Platform platform = build(irregular_site());
  EXPECT_EQ(platform.gpus[0].nic, platform.gpus[1].nic);
  EXPECT_NE(platform.gpus[1].nic, platform.gpus[2].nic);
  EXPECT_EQ(platform.gpus.back().more_nics.size(), 1u);
  const Nic& nic = platform.nics[platform.gpus[0].nic.index()];
  EXPECT_EQ(nic.pcie, platform.gpus[0].pcie);
  EXPECT_EQ(nic.leaf, SwitchId(0));
  EXPECT_EQ(platform.nodes[0].leaf, SwitchId(0));
}

TEST(GraphPlatform, TakesALinksTimeFromItsSenderTheCableAndTheNicAtItsEnd) {
  const Platform platform = build(irregular_site());
  const auto ns = [&](const char* name) {
    return in_microseconds(platform.links[find_link(platform, name).index()].latency) * 1e3;
  };
  const double nic = 1000, cable_ns = 5, trunk = 20, switching = 100;
  EXPECT_DOUBLE_EQ(ns("a0/nic0/up"), nic + cable_ns);
  EXPECT_DOUBLE_EQ(ns("a0/nic0/down"), switching + cable_ns + nic);
  EXPECT_DOUBLE_EQ(ns("sw0/sw2/cable1"), switching + trunk);
}

TEST(GraphPlatform, KnowsTheNvlinksOfEveryPair) {
  const Platform platform = build(irregular_site());
  const auto speed = [&](int a, int b) {
    return in_gigabytes_per_second(nvlink_bandwidth(platform, GpuId(a), GpuId(b)));
  };
  EXPECT_EQ(speed(0, 1), 50);
  EXPECT_EQ(speed(2, 0), 25);
  EXPECT_EQ(speed(0, 3), 0);
  EXPECT_EQ(speed(0, 0), 0);
  EXPECT_EQ(speed(1, 4), 0);
  EXPECT_EQ(speed(4, 5), 50);
  const Platform switched = build(examples().front());
  EXPECT_EQ(nvlink_bandwidth(switched, GpuId(0), GpuId(3)), gigabytes_per_second(450));
  EXPECT_EQ(nvlink_bandwidth(switched, GpuId(0), GpuId(4)), Bandwidth());
}

// The irregular site with one property changed.
std::string complaint(const std::string& id, const std::string& value) {
  PropertyList list = irregular_site();
  for (auto& property : list)
    if (property.first == id) property.second = value;
  try {
    build(list);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(GraphErrors, NameThePropertyAndTheProblem) {
  const std::vector<std::vector<std::string>> cases = {
      {"kinds", "quad,singel",
       "test.xml:8:5: fabric.kind.single.gpus: unknown property; did you mean 'kind.singel.gpus'?"},
      {"nodes", "a[0-3]: quat; b0: single",
       "test.xml:10:5: fabric.nodes: 'a0' is of an unknown kind 'quat'; did you mean 'quad'?"},
      {"nodes", "a[0-3],a1: quad; b0: single", "test.xml:10:5: fabric.nodes: 'a1' is there twice"},
      {"switches", "sw[0-4]",
       "test.xml:11:5: fabric.switches: 'sw[0-4]' lacks ':' between names "
       "and values"},
      {"kind.quad.nvlink", "0-1: 50 GB/s",
       "test.xml:5:5: fabric.kind.quad.nvlink: '0-1: 50 GB/s' has 1 values, not 2"},
      {"kind.quad.nvlink", "0-4: 50 GB/s, 1 us",
       "test.xml:5:5: fabric.kind.quad.nvlink: names GPU 4 of 4"},
      {"kind.quad.nvlink", "0-1,1-0: 50 GB/s, 1 us",
       "test.xml:5:5: fabric.kind.quad.nvlink: 1-0 is there twice: give the bandwidth of all its "
       "cables together"},
      {"kind.quad.nics", "nic[0-1] 0: 12.5 GB/s, 1 us",
       "test.xml:6:5: fabric.kind.quad.nics: 'nic[0-1] 0: 12.5 GB/s, 1 us' pairs 2 with 1"},
      {"kind.quad.pcie", "0+1,2 0,1: 16 GB/s, 300 ns",
       "test.xml:7:5: fabric.kind.quad.pcie: every GPU must be below one switch"},
      {"cables", "a0/nic0 sw9: 1 GB/s, 1 ns",
       "test.xml:12:5: fabric.cables: 'sw9' is neither a switch nor a NIC of a node"},
      {"cables", "a0/nic0 a1/nic0: 1 GB/s, 1 ns",
       "test.xml:12:5: fabric.cables: 'a0/nic0 a1/nic0' joins two NICs: a switch must be between"},
      {"cables", "sw[0-1] sw[2-4]: 1 GB/s, 1 ns",
       "test.xml:12:5: fabric.cables: 'sw[0-1] sw[2-4]: 1 GB/s, 1 ns' joins 2 to 3 ends, of which "
       "neither is a multiple of the other"}};
  for (const auto& each : cases) EXPECT_EQ(complaint(each[0], each[1]), each[2]);
}

TEST(GraphErrors, NameTwoGpusWithoutAPath) {
  PropertyList list = irregular_site();
  list.erase(list.begin() + 5);  // the PCIe switches
  ASSERT_NO_THROW(build(list));  // 0 and 3 meet at GPU 1
  list[3].second = "0-1,2-3: 50 GB/s, 500 ns";
  EXPECT_THROW(build(list), InputError);
}

}  // namespace
}  // namespace trainyard
