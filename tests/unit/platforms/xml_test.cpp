// Platform files as text: what is refused, and where.

#include "platforms/xml.hpp"

#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace trainyard {
namespace {

const std::string kDomain =
    R"(    <prop id="topology" value="nvlink_domain"/>
    <prop id="gpus_per_node" value="4"/>
    <prop id="nvlink_bandwidth" value="450 GB/s"/>
    <prop id="nvlink_latency" value="1 us"/>
)";

std::string file_with(const std::string& zone_content) {
  return "<?xml version=\"1.0\"?>\n<platform version=\"4.1\">\n  <zone id=\"lab\" "
         "routing=\"None\">\n" +
         zone_content + "  </zone>\n</platform>\n";
}

std::string complaint(const std::string& text) {
  try {
    parse_platform("lab.xml", text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PlatformXml, NamesATopologyByPropertiesAndThePlatformByItsZone) {
  const Platform platform = parse_platform("lab.xml", file_with(kDomain));
  EXPECT_EQ(platform.name, "lab");
  EXPECT_EQ(platform.topology, "nvlink_domain");
  EXPECT_EQ(platform.gpu_count(), 4);
}

TEST(PlatformXml, TakesOverridesInPlaceOfPropertiesAndBesideThem) {
  const Platform platform = parse_platform(
      "lab.xml", file_with(kDomain),
      {{"gpus_per_node", {"6", {"e.yaml", 1, 1}}}, {"calibration", {"x", {"e.yaml", 2, 1}}}});
  EXPECT_EQ(platform.gpu_count(), 6);
  EXPECT_EQ(platform.calibration, "x");
}

TEST(PlatformXml, PlacesAWrongPropertyByLineAndColumn) {
  EXPECT_EQ(complaint(file_with(kDomain + "      <prop id=\"nvlink_latenci\" value=\"1 us\"/>\n")),
            "lab.xml:8:7: lab.nvlink_latenci: unknown property; did you mean 'nvlink_latency'?");
  EXPECT_EQ(complaint(file_with(kDomain + kDomain)),
            "lab.xml:8:5: lab.topology: given twice, first at lab.xml:4:5");
}

TEST(PlatformXml, RefusesMalformedXmlWhereItBreaks) {
  EXPECT_EQ(complaint("<platform version=\"4.1\">\n  <zone id=\"a\"\n</platform>\n"),
            "lab.xml:3:1: malformed XML: Error parsing start element tag");
  EXPECT_EQ(complaint("<platform>\n  <zone>\n  </zon>\n</platform>\n"),
            "lab.xml:3:5: malformed XML: Start-end tags mismatch");
  EXPECT_EQ(complaint("nodes: 4\n"), "lab.xml: holds no XML element, so it is not a platform file");
  EXPECT_EQ(complaint(""), "lab.xml: is empty, not a platform file");
  EXPECT_EQ(complaint(" \n\n"), "lab.xml: is empty, not a platform file");
  EXPECT_EQ(complaint("<platform>\n \xff</platform>"), "lab.xml:2:2: is not valid UTF-8");
}

TEST(PlatformXml, RefusesElementsAndAttributesItDoesNotKnow) {
  EXPECT_EQ(complaint("<machine/>\n"),
            "lab.xml:1:1: <machine> is not a platform; the file must hold <platform "
            "version=\"4.1\">");
  EXPECT_EQ(complaint("<platform version=\"3\"/>\n"),
            "lab.xml:1:1: <platform> must have version=\"4.1\", got '3'");
  EXPECT_EQ(complaint("<platform/>\n"), "lab.xml:1:1: <platform> lacks the attribute 'version'");
  EXPECT_EQ(complaint(file_with("    <props id=\"a\" value=\"b\"/>\n" + kDomain)),
            "lab.xml:4:5: <props> is unknown here; did you mean 'prop'?");
  EXPECT_EQ(complaint(file_with("    <prop ident=\"a\" value=\"b\"/>\n" + kDomain)),
            "lab.xml:4:5: <prop> has an unknown attribute 'ident'; known: id, value");
  EXPECT_EQ(complaint(file_with("    <prop id=\"a\" id=\"a\" value=\"b\"/>\n" + kDomain)),
            "lab.xml:4:5: <prop> has the attribute 'id' twice");
  EXPECT_EQ(complaint(file_with("    <prop id=\"a\" value=\"b\">c</prop>\n" + kDomain)),
            "lab.xml:4:5: <prop> must be empty: <prop id=\"..\" value=\"..\"/>");
  EXPECT_EQ(complaint(file_with("    16 GPUs\n" + kDomain)),
            "lab.xml:3:3: <zone> holds text; only <prop> belongs there");
}

TEST(PlatformXml, RefusesAFileWithoutGpusOrWithTwoZones) {
  EXPECT_EQ(complaint("<platform version=\"4.1\"/>\n"),
            "lab.xml:1:1: <platform> has no <zone>: it describes no GPUs");
  EXPECT_EQ(complaint(file_with("")),
            "lab.xml:3:3: <zone> has no <prop> and no <host>: it describes no GPUs");
  EXPECT_EQ(complaint("<platform version=\"4.1\">\n<zone id=\"a\" routing=\"None\"/>\n"
                      "<zone id=\"b\" routing=\"None\"/>\n</platform>\n"),
            "lab.xml:3:1: <zone> is a second one; one is allowed");
  EXPECT_EQ(complaint("<platform version=\"4.1\"><zone id=\"a\" routing=\"Full\"/></platform>"),
            "lab.xml:1:25: <zone> must have routing=\"None\" (the topology routes), got 'Full'");
}

TEST(PlatformXml, RefusesAPlatformWithoutAName) {
  EXPECT_EQ(complaint("<platform version=\"4.1\"><zone id=\"\" routing=\"None\"/></platform>"),
            "lab.xml:1:25: <zone> has an empty id");
}

TEST(PlatformXml, LeavesPlainSimGridPlatformsToSimGrid) {
  EXPECT_EQ(complaint(file_with("    <host id=\"h\" speed=\"1Gf\"/>\n")),
            "lab.xml:4:5: <host> makes this a plain SimGrid platform, which names no topology");
}

TEST(PlatformXml, TellsPlainSimGridPlatformsByTheirHosts) {
  const std::string file = scratch_path("plain_or_not.xml");
  const auto is_plain = [&](const std::string& text) {
    std::ofstream(file) << text;
    return is_plain_simgrid(file);
  };
  EXPECT_TRUE(is_plain("<platform><zone><cluster id=\"c\"/></zone></platform>"));
  EXPECT_TRUE(is_plain("<platform><zone><zone><host id=\"h\"/></zone></zone></platform>"));
  EXPECT_FALSE(is_plain(file_with(kDomain)));
  EXPECT_THROW(is_plain("<platform>"), InputError);
  std::remove(file.c_str());
}

TEST(PlatformXml, SaysThatAFileCannotBeRead) {
  EXPECT_THROW(load_platform("no/such/platform.xml"), InputError);
}

}  // namespace
}  // namespace trainyard
