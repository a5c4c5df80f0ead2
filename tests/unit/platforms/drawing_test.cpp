// A platform for looking at: folded, in words and as a picture.
#include "examples.hpp"
#include "platforms/drawing/overview.hpp"
#include "platforms/drawing/picture.hpp"
#include "platforms/xml_file.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Overview, AlikeSwitchesStandInOneRowTheTopFirst) {
  const Platform platform = testing::build(testing::examples()[1]);  // 4 leaves of 4, 4 spines
  const Overview overview = overview_of(platform);
  ASSERT_EQ(overview.switches.size(), 2U);
  EXPECT_EQ(overview.switches[0].level, 2);
  EXPECT_EQ(overview.switches[1].switches.size(), 4U);
  EXPECT_EQ(description(overview.switches[1]),
            "4 NICs (200 GB/s), 4 up to 4 switches (200 GB/s), 1:1");
  EXPECT_EQ(description(overview.switches[0]), "4 down (200 GB/s)");
  EXPECT_EQ(span_of(overview.switches[1].switches, platform.switches), "leaf0 .. leaf3");
  ASSERT_EQ(overview.nodes.size(), 1U);
  EXPECT_EQ(description(overview.nodes[0]), "1 GPU, 1 NIC (50 GB/s)");
}

TEST(Overview, EveryPartIsCountedOnce) {
  for (const testing::PropertyList& example : testing::examples()) {
    const Platform platform = testing::build(example);
    const Overview overview = overview_of(platform);
    std::size_t switches = 0, nodes = 0;
    int links = 0;
    for (const SwitchRow& row : overview.switches) switches += row.switches.size();
    for (const NodeRow& row : overview.nodes) nodes += row.nodes.size();
    for (const LinkKind& kind : overview.links) links += kind.links;
    EXPECT_EQ(switches, platform.switches.size());
    EXPECT_EQ(nodes, platform.nodes.size());
    EXPECT_EQ(links, static_cast<int>(platform.links.size()));
  }
}

TEST(Words, AreShortAndNeverCutACharacter) {
  EXPECT_EQ(readable(gigabytes_per_second(370.8)), "370.8 GB/s");
  EXPECT_EQ(readable(gigabits_per_second(400)), "50 GB/s");
  EXPECT_EQ(readable(gigabytes_per_second(25600)), "25.6 TB/s");
  EXPECT_EQ(shortened("leaf0", 8), "leaf0");
  EXPECT_EQ(shortened("MF0_rmd70_L01_U1", 9), "MF0..1_U1");
  EXPECT_EQ(shortened("\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac", 7), "..\xe2\x82\xac");
}

TEST(Picture, OfEveryTopologyIsXmlAndTheSameEachTime) {
  for (const testing::PropertyList& example : testing::examples()) {
    const Platform platform = testing::build(example);
    const std::string picture = draw(platform);
    EXPECT_NO_THROW(XmlFile("picture.svg", picture)) << picture;
    EXPECT_EQ(picture, draw(platform));
    EXPECT_THAT(picture, Not(HasSubstr("href")));
    EXPECT_THAT(picture, Not(HasSubstr("nan")));
    EXPECT_THAT(picture, Not(HasSubstr("inf\"")));
  }
}

TEST(Picture, OfALargeFabricCountsWhatItLeavesOut) {
  const std::string picture = draw(testing::build(testing::with(
      testing::tree("fat_tree", "2", "4,16", "1,4", "1,1"), testing::single_gpu_nodes(64))));
  EXPECT_THAT(picture, HasSubstr("9 more"));  // of 16 leaves five and two are shown
  EXPECT_THAT(picture, HasSubstr(">leaf15<"));
  EXPECT_THAT(picture, Not(HasSubstr(">leaf7<")));
  EXPECT_THAT(picture, HasSubstr("64 nodes"));
}

TEST(Picture, NamesAreEscaped) {
  Platform platform = testing::build(testing::examples()[0]);
  platform.name = "a<b>&\"c";
  platform.nodes[0].name = "<n&0>";
  const std::string picture = draw(platform);
  EXPECT_NO_THROW(XmlFile("picture.svg", picture));
  EXPECT_THAT(picture, HasSubstr("a&lt;b&gt;&amp;&quot;c"));
}

}  // namespace

}  // namespace trainyard
