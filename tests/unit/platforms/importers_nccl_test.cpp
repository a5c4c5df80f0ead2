// NCCL's topology files: our own, and those that clouds ship.
#include "platforms/importers/nccl_topology.hpp"
#include "site_files.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {

namespace {

using ::testing::ElementsAre;
using testing::replaced;
using testing::site_text;

NcclNode parse(const std::string& text) { return parse_nccl_topology("n.xml", text); }

std::string problem(const std::string& text) {
  return testing::refusal([&] { parse(text); });
}

TEST(NcclTopology, PcieIsWidthTimesSpeedByNcclsTable) {
  EXPECT_EQ(nccl_pcie_rate("8 GT/s", 16), gigabytes_per_second(12));
  EXPECT_EQ(nccl_pcie_rate("16.0 GT/s PCIe", 16), gigabytes_per_second(24));
  EXPECT_EQ(nccl_pcie_rate("32 GT/s", 16), gigabytes_per_second(48));
  EXPECT_EQ(nccl_pcie_rate("16 GT/s", 8), gigabytes_per_second(12));
  EXPECT_EQ(nccl_pcie_rate("16 GT/s", 0), gigabytes_per_second(24));  // no width: 16 lanes
  EXPECT_EQ(nccl_pcie_rate("17 GT/s", 16), Bandwidth());
  EXPECT_EQ(nccl_pcie_rate("16", 16), Bandwidth());
}

TEST(NcclTopology, ADumpNamesGpusNvlinksAndNics) {
  const NcclNode node = parse(site_text("node.xml"));
  ASSERT_EQ(node.gpus.size(), 4U);
  ASSERT_EQ(node.nics.size(), 4U);
  EXPECT_TRUE(node.filled_in);
  EXPECT_EQ(node.cpu_vendor, "intel");
  EXPECT_EQ(node.gpus[0].sm, 90);
  EXPECT_EQ(node.gpus[0].switch_links, 5 + 4 + 4 + 5);  // four NVSwitches are one
  EXPECT_EQ(node.gpus[2].group, node.nics[2].group);
  EXPECT_NE(node.gpus[1].group, node.nics[2].group);
  EXPECT_EQ(node.nics[3].name, "mlx5_3");
  EXPECT_EQ(node.nics[3].rate, gigabits_per_second(400));  // 400000 Mbit/s
  EXPECT_EQ(node.nics[3].pcie, gigabytes_per_second(48));
  EXPECT_THAT(node.notes,
              ElementsAre("known to NCCL and not modelled: affinity, familyid, gdr, guid, latency, "
                          "maxconn, modelid, port, rank, vendor"));
}

TEST(NcclTopology, GpusStandInTheOrderOfTheirBusesIfNobodyNumbersThem) {
  const NcclNode node = parse(
      "<system version=\"1\"><cpu numaid=\"0\">"
      "<pci busid=\"0003:00:00.0\" class=\"0x030200\" link_speed=\"16 GT/s\" link_width=\"16\"/>"
      "<pci busid=\"0001:00:00.0\" class=\"0x030200\" link_speed=\"16 GT/s\" link_width=\"16\"/>"
      "</cpu></system>");
  EXPECT_EQ(node.gpus[0].bus, "0001:00:00.0");
  EXPECT_FALSE(node.filled_in);
}

// Two GPUs of which the first has `links`, the second `back`.
std::string pair(const std::string& links, const std::string& back) {
  const auto gpu = [](const char* bus, const std::string& inside) {
    return std::string("<pci busid=\"") + bus +
           "\" class=\"0x030200\" link_speed=\"8 GT/s\" link_width=\"16\"><gpu sm=\"70\">" +
           inside + "</gpu></pci>\n";
  };
  return "<system version=\"1\"><cpu numaid=\"0\">\n" + gpu("0000:01:00.0", links) +
         gpu("0000:02:00.0", back) + "</cpu></system>\n";
}

std::string link_to(const std::string& bus, int count) {
  return "<nvlink target=\"" + bus + "\" count=\"" + std::to_string(count) +
         "\" tclass=\"0x030200\"/>";
}

TEST(NcclTopology, NvlinksBetweenGpusAreSeenByBothAlike) {
  EXPECT_EQ(problem(pair(link_to("0000:02:00.0", 2), link_to("0000:01:00.0", 2))), "accepted");
  EXPECT_EQ(
      problem(pair(link_to("0000:02:00.0", 2), link_to("0000:01:00.0", 1))),
      "n.xml:2:1: GPU 0000:01:00.0 has 2 NVLinks to 0000:02:00.0, which has another number to it");
  EXPECT_EQ(problem(pair(link_to("0000:03:00.0", 2), "")),
            "n.xml:2:1: NVLink of GPU 0000:01:00.0 leads to '0000:03:00.0', which is no other GPU");
}

TEST(NcclTopology, MistakesAreNamedWhereTheyStand) {
  const std::string text = site_text("node.xml");
  EXPECT_EQ(problem(replaced(text, "busid=\"0000:1a:00.0\"", "busid=\"1a:00.0\"")),
            "n.xml:5:7: <pci> has the bus id '1a:00.0', which is none such as 0000:10:1c.0");
  EXPECT_EQ(problem(replaced(text, "0000:2a:00.0", "0000:1a:00.0")),
            "n.xml:18:7: <pci> has the bus id 0000:1a:00.0 a second time");
  EXPECT_EQ(problem(replaced(text, "link_width", "link_widht")),
            "n.xml:4:5: <pci> has an unknown attribute 'link_widht'; did you mean 'link_width'?");
  EXPECT_EQ(problem(replaced(text, "32.0 GT/s", "33 GT/s")), "accepted");  // a virtual bridge's
  EXPECT_EQ(
      problem(replaced(text, "device=\"0x2330\" link_speed=\"32.0",
                       "device=\"0x2330\" link_speed=\"33.0")),
      "n.xml:5:7: <pci> has the link_speed '33.0 GT/s PCIe'; known: 2.5, 5, 8, 16, 32 and 64 GT/s");
  EXPECT_EQ(problem(replaced(text, "count=\"5\"", "count=\"0\"")),
            "n.xml:7:11: <nvlink> needs a whole number of at least 1 as 'count', got '0'");
  EXPECT_EQ(problem(replaced(text, "<nvlink target", "<nvlnk target")),
            "n.xml:7:11: <nvlnk> is unknown here; did you mean 'nvlink'?");
  EXPECT_EQ(problem(replaced(text, "speed=\"400000\"", "speed=\"-1\"")),
            "n.xml:15:11: <net> needs a whole number of at least 1 as 'speed', got '-1'");
  EXPECT_EQ(problem("<graphs version=\"1\"/>"),
            "n.xml:1:1: <graphs> is NCCL's search graph (NCCL_GRAPH_FILE), not a topology");
  EXPECT_EQ(problem("<sytem/>"),
            "n.xml:1:1: <sytem> is not an NCCL topology; it must be <system version=\"1\">");
  EXPECT_EQ(problem("<system version=\"2\"/>"),
            "n.xml:1:1: <system> must have version=\"1\", got '2'");
  EXPECT_EQ(problem("<system version=\"1\"/>"),
            "n.xml:1:1: <system> holds no GPU: no <gpu> and no PCI device of class 0x03");
}

TEST(NcclTopology, PciDevicesNestedWithoutEndAreRefused) {
  std::string text = "<system version=\"1\"><cpu numaid=\"0\">";
  char bus[16];
  for (int i = 0; i < 60'000; ++i) {
    std::snprintf(bus, sizeof bus, "%04x:00:00.0", i);
    text += std::string("<pci busid=\"") + bus + "\">";
  }
  for (int i = 0; i < 60'000; ++i) text += "</pci>";
  EXPECT_THAT(problem(text + "</cpu></system>"),
              ::testing::HasSubstr("stands below more than 32 others"));
}

struct RealFile {
  const char* name;
  std::size_t gpus, nics;
  double pcie_gigabytes;
};
const RealFile kRealFiles[] = {
    {"aws-p4d-24xl-topo.xml", 8, 4, 12},  // "each group has 2 GPUs and 1 NIC", gen3
    {"azure-ndv2-topo.xml", 8, 1, 24},
    {"azure-ndv4-topo.xml", 8, 8, 24},
    {"oci-topo-flattened.xml", 8, 8, 24},
};

TEST(RealNcclTopology, CloudsNameGpusAndNicsByTheirPciClass) {
  for (const RealFile& real : kRealFiles) {
    const std::string file = testing::reference_path(std::string("fabric/") + real.name);
    TRAINYARD_NEEDS(file);
    const NcclNode node = parse_nccl_topology(file, read_file(file));
    EXPECT_EQ(node.gpus.size(), real.gpus) << file;
    EXPECT_EQ(node.nics.size(), real.nics) << file;
    EXPECT_EQ(node.gpus[0].pcie, gigabytes_per_second(real.pcie_gigabytes)) << file;
    EXPECT_FALSE(node.filled_in) << file;
  }
}

TEST(RealNcclTopology, AFileWithoutClassesNamesNothingAndIsRefused) {
  const std::string file = testing::reference_path("fabric/aws-g5.48xl-topo.xml");
  TRAINYARD_NEEDS(file);
  EXPECT_EQ(testing::refusal([&] { parse_nccl_topology(file, read_file(file)); }),
            file +
                ":14:5: <pci> has no class and holds no <gpu> or <nic>: what stands on this bus is "
                "known at run "
                "time only; dump the topology there, with NCCL_TOPO_DUMP_FILE");
}

TEST(RealNcclTopology, AmdsFilesAreRefusedByName) {
  const std::string file = testing::reference_path("fabric/rccl-models/topo_4p1h.xml");
  TRAINYARD_NEEDS(file);
  EXPECT_EQ(testing::refusal([&] { parse_nccl_topology(file, read_file(file)); }),
            file + ":5:1: <system> must have version=\"1\", got '2'");
}

}  // namespace

}  // namespace trainyard
