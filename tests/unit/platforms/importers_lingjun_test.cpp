// The topology of the Lingjun 2023 trace.
#include "platforms/importers/lingjun_topology.hpp"
#include "site_files.hpp"

#include <gtest/gtest.h>

namespace trainyard {

namespace {

std::string problem(const std::string& text) {
  return testing::refusal([&] { parse_lingjun_topology("t.csv", text); });
}

TEST(LingjunTopology, ASwitchNameHoldsBelowItsParentOnly) {
  const Fabric fabric =
      to_fabric(parse_lingjun_topology("topo.csv", testing::site_text("topo.csv")));
  EXPECT_EQ(fabric.hosts.size(), 4U);
  EXPECT_EQ(fabric.switches.size(), 1U + 2 + 3);  // G1, P1 and P2, S1 and S2 of P1, S1 of P2
  EXPECT_EQ(fabric.cables.size(), 2U + 3);
  EXPECT_EQ(fabric.hosts[0].ports[0].to, fabric.hosts[1].ports[0].to);
  EXPECT_EQ(fabric.switches[fabric.hosts[3].ports[0].to].name, "G1-P2-S1");
}

TEST(LingjunTopology, MistakesAreNamedWhereTheyStand) {
  const std::string head = "ip,DSW,PSW,ASW\n";
  EXPECT_EQ(problem(""), "t.csv: names no host");
  EXPECT_EQ(problem(head), "t.csv: names no host");
  EXPECT_EQ(problem("ip,DSW,ASW,PSW\n"), "t.csv:1:8: column 3 must be 'PSW', found 'ASW'");
  EXPECT_EQ(problem(head + "a,G,P\n"), "t.csv:2: expected 4 columns, found 3");
  EXPECT_EQ(problem(head + "a,G,,S\n"), "t.csv:2:5: column 3 is empty");
  EXPECT_EQ(problem(head + "a,G,P,S\n\na,G,P,S\n"),
            "t.csv:4:1: host 'a' stands a second time, first at line 2");
}

TEST(RealLingjunTopology, Has847HostsBelowThreeAggregationSwitchesOfOneCore) {
  const std::string file = testing::reference_path("fabric/lingjun2023-topo.csv");
  TRAINYARD_NEEDS(file);
  const Fabric fabric = to_fabric(parse_lingjun_topology(file, read_file(file)));
  EXPECT_EQ(fabric.hosts.size(), 847U);  // the README says "more than 800"
  const std::size_t leaves_of_p10 = 48, leaves_of_p12 = 42, leaves_of_p8 = 29;
  EXPECT_EQ(fabric.switches.size(), 1 + 3 + leaves_of_p10 + leaves_of_p12 + leaves_of_p8);
}

}  // namespace

}  // namespace trainyard
