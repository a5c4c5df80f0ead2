// What ibnetdiscover prints: our own fabrics, an excerpt of Azure's, ports of the Ohio
// Supercomputer Center, and a file that ends too early.
#include "platforms/importers/ibnetdiscover.hpp"
#include "site_files.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::replaced;
using testing::site_text;

Fabric fabric_of(const std::string& text) { return to_fabric(parse_ibnetdiscover("f.out", text)); }

std::string problem(const std::string& text) {
  return testing::refusal([&] { fabric_of(text); });
}

TEST(Ibnetdiscover, RatesAreDataRatesOfLanes) {
  EXPECT_EQ(ib_rate("4x", "QDR"), gigabits_per_second(4 * 8));
  EXPECT_EQ(ib_rate("4x", "EDR"), gigabits_per_second(100));
  EXPECT_EQ(ib_rate("4x", "HDR"), gigabits_per_second(200));
  EXPECT_EQ(ib_rate("2x", "HDR"), gigabits_per_second(100));
  EXPECT_EQ(ib_rate("4x", "NDR"), gigabits_per_second(400));
  EXPECT_NEAR(in_bytes_per_second(ib_rate("4x", "FDR")), 4 * 14.0625e9 * 64 / 66 / 8, 1);
  EXPECT_EQ(ib_rate("3x", "EDR"), Bandwidth());
  EXPECT_EQ(ib_rate("4x", "???"), Bandwidth());
}

TEST(Ibnetdiscover, HostsSwitchesAndCablesAreThoseOfTheFile) {
  const Fabric fabric = fabric_of(site_text("fabric.ibnetdiscover"));
  ASSERT_EQ(fabric.hosts.size(), 4U);
  EXPECT_EQ(fabric.switches.size(), 4U);
  EXPECT_EQ(fabric.cables.size(), 2U * 2 * 2);  // each once, though both ends list it
  EXPECT_TRUE(fabric.cables_listed);
  EXPECT_EQ(fabric.network, "infiniband");
  EXPECT_THAT(fabric.notes, IsEmpty());
  EXPECT_EQ(fabric.cables[0].rate, gigabits_per_second(400));
}

TEST(Ibnetdiscover, HostsAndTheirAdaptersStandInNaturalOrder) {
  const Fabric fabric = fabric_of(site_text("fabric.ibnetdiscover"));  // the file has them reversed
  std::vector<std::string> hosts, adapters;
  for (const Fabric::Host& host : fabric.hosts) hosts.push_back(host.name);
  for (const Fabric::Port& port : fabric.hosts[3].ports) adapters.push_back(port.hca);
  EXPECT_THAT(hosts, ElementsAre("gpu1", "gpu2", "gpu3", "gpu10"));
  EXPECT_THAT(adapters, ElementsAre("mlx5_0/1", "mlx5_1/1", "mlx5_2/1", "mlx5_3/1"));
  EXPECT_NE(fabric.hosts[3].ports[0].to, fabric.hosts[3].ports[1].to);  // rails
  EXPECT_EQ(fabric.switches[fabric.hosts[3].ports[0].to].name, "leaf-a");
}

TEST(Ibnetdiscover, TheListOfPortsIsReadToo) {
  const Fabric fabric = fabric_of(site_text("ports.ibnetdiscover"));
  EXPECT_EQ(fabric.hosts.size(), 2U);
  EXPECT_EQ(fabric.switches.size(), 1U);
  EXPECT_EQ(fabric.hosts[0].ports[0].rate, gigabits_per_second(200));
  EXPECT_THAT(fabric.notes, ElementsAre("1 port without a cable: ignored"));
}

TEST(Ibnetdiscover, ACableThatOneEndListsIsKeptAndNoted) {
  const std::string text = replaced(site_text("ports.ibnetdiscover"),
                                    "SW   100  1 0x00000000000000aa 4x HDR - CA    11  1 "
                                    "0x0000000000000001 ( 'sw' - 'n1 HCA-1' )\n",
                                    "");
  EXPECT_THAT(fabric_of(text).notes,
              ElementsAre("1 port without a cable: ignored",
                          "1 cable listed at one end only, the first at f.out:1:1: kept"));
}

const std::string kSwitch = "Switch\t4 \"S-a\"  # \"sw\"\n";
const std::string kHost = "Ca\t1 \"H-1\"  # \"n1 HCA-1\"\n";

TEST(Ibnetdiscover, MistakesAreNamedWhereTheyStand) {
  EXPECT_EQ(problem(kSwitch), "f.out:1:1: 'sw' has no connected port");
  EXPECT_EQ(problem("[1] \"S-a\"[1] # 4xHDR\n"),
            "f.out:1:1: a port, but no Switch or Ca stands before it");
  EXPECT_EQ(problem("Swich 4 \"S-a\"\n"),
            "f.out:1:1: unknown line 'Swich'; did you mean 'Switch'?");
  EXPECT_EQ(problem("vendidd=0x1\n"), "f.out:1:1: unknown key 'vendidd'; did you mean 'vendid'?");
  EXPECT_EQ(problem(kSwitch + "[1]\t\"H-1\"[1]\t# \"n1 HCA-1\" lid 1\n"),
            "f.out:2:32: the port has no rate such as 4xNDR");
  EXPECT_EQ(problem(kSwitch + "[1]\t\"H-1\"[1]\t# \"n1 HCA-1\" lid 1 4xHDD\n"),
            "f.out:2:33: unknown rate '4x' 'HDD'; widths: 1x, 2x, 4x, 8x, 12x; speeds: SDR, DDR, "
            "QDR, FDR10, FDR, EDR, HDR, NDR, XDR");
  EXPECT_EQ(problem(kSwitch + "[1]\t\"Q-1\"[1]\t# 4xHDR\n"),
            "f.out:2:6: expected a device such as \"S-0ff08c43213b3f30\", found \"Q-1\"");
  EXPECT_EQ(problem(kSwitch + "[1]\t\"H-xyz\"[1]\t# 4xHDR\n"),
            "f.out:2:8: expected a GUID of up to 16 hexadecimal digits, found 'xyz'");
  EXPECT_EQ(problem(kSwitch + "[1]\t\"H-1\"[1]\t# 4xHDR\n[1]\t\"H-2\"[1]\t# 4xHDR\n"),
            "f.out:3:1: port 1 of this device is listed already, at line 2");
  EXPECT_EQ(problem(kSwitch + "[1]\t\"H-1\"[1]\t# \"n1 HCA-1\" 4xHDR\n" + kSwitch),
            "f.out:3:10: Switch is listed a second time, first at line 1");
  EXPECT_EQ(problem(kSwitch + "[1]\t\"S-a\"[2]\t# 4xHDR\n"),
            "f.out:2:1: port 1 leads back to its own device");
  EXPECT_EQ(problem(kHost + "[1](1)\t\"H-2\"[1]\t# \"n2 HCA-1\" 4xHDR\n"),
            "f.out:2:1: port 1 joins two adapters without a switch");
}

TEST(Ibnetdiscover, TheTwoEndsOfACableMustAgree) {
  const std::string head = kSwitch + "[1]\t\"H-1\"[1]\t# \"n1 HCA-1\" lid 1 4xHDR\n" + kHost;
  EXPECT_EQ(problem(head + "[1](1)\t\"S-a\"[1]\t# \"sw\" lid 1 4xEDR\n"),
            "f.out:2:1: port 1 has another rate than its other end at line 4");
  EXPECT_EQ(problem(head + "[1](1)\t\"S-a\"[2]\t# \"sw\" lid 1 4xHDR\n"),
            "f.out:2:1: port 1 leads to port 1 of 'n1 HCA-1', which leads elsewhere at line 4");
  EXPECT_EQ(problem(head + "[1](1)\t\"S-a\"[1]\t# \"sw\" lid 1 4xHDR\n"), "accepted");
}

TEST(RealIbnetdiscover, AzuresExcerptHasTenHostsEightSwitchesAndAnAggregationNode) {
  const std::string file = testing::reference_path("fabric/superbench.ibnetdiscover.txt");
  TRAINYARD_NEEDS(file);
  const Fabric fabric = to_fabric(parse_ibnetdiscover(file, read_file(file)));
  EXPECT_EQ(fabric.hosts.size(), 10U);      // its records of Ca
  EXPECT_EQ(fabric.switches.size(), 8U);    // its records of Switch
  EXPECT_EQ(fabric.cables.size(), 5U + 2);  // five leaves below two spines below one core
  EXPECT_EQ(fabric.switches[0].name, "MF0;rmd70-0101-0908-01ib1-A:MCS8500/L01/U1");
  for (const Fabric::Cable& cable : fabric.cables) EXPECT_EQ(cable.rate, gigabits_per_second(200));
  EXPECT_THAT(fabric.notes,
              ElementsAre("1 aggregation node (SHARP) of switches: no hosts, ignored"));
}

TEST(RealIbnetdiscover, OscsPortsAreThreeHostsOnSwitchesOfWhichTwoAreJoined) {
  const std::string file = testing::reference_path("fabric/osc-test.out.ibnetdiscover-p.out");
  TRAINYARD_NEEDS(file);
  const Fabric fabric = to_fabric(parse_ibnetdiscover(file, read_file(file)));
  EXPECT_EQ(fabric.hosts.size(), 3U);
  EXPECT_EQ(fabric.switches.size(), 4U);
  EXPECT_EQ(fabric.cables.size(), 1U);
  EXPECT_EQ(fabric.hosts[0].ports[0].rate, gigabits_per_second(100));
  EXPECT_THAT(fabric.notes,
              ElementsAre("2 ports without a cable: ignored",
                          "1 cable listed at one end only, the first at " + file + ":6:1: kept"));
}

TEST(RealIbnetdiscover, TopographsFileThatEndsTooEarlyIsRefused) {
  const std::string file = testing::reference_path("fabric/topograph-bad.ibnetdiscover.out");
  TRAINYARD_NEEDS(file);
  EXPECT_EQ(testing::refusal([&] { parse_ibnetdiscover(file, read_file(file)); }),
            file + ":10:1: 'dgx-gb200-n01-c1 HCA-1' has no connected port");
}

}  // namespace

}  // namespace trainyard
