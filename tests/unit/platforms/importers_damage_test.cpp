// Reading never crashes: site files with random damage are read, or refused with an error that is
// the user's.
#include "base/rng.hpp"
#include "platforms/importers/registry.hpp"
#include "platforms/site/site.hpp"
#include "platforms/xml.hpp"
#include "site_files.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace trainyard {

namespace {

// TRAINYARD_MUTATIONS=100000 is a night's fuzzing.
int mutations() {
  const char* count = std::getenv("TRAINYARD_MUTATIONS");
  return count ? std::atoi(count) : 400;
}

const std::vector<std::string> kPieces = {"",       "0",
                                          "-1",     "999999999999999999999",
                                          "\"",     "'",
                                          "[",      "]",
                                          "[1-99]", "[0-",
                                          ",",      "=",
                                          "#",      "\\\n",
                                          "\n",     "\t",
                                          "\xff",   "<",
                                          "</cpu>", "<pci busid=\"0000:77:00.0\"/>",
                                          "4x",     "4xHDR",
                                          "S-a",    "\"H-1\"[1]",
                                          "???",    "Switch ",
                                          "Nodes=", "\r\n",
                                          "x",      "CA 1 1 0x1 4x EDR"};

std::string damaged(std::string text, RandomStream& stream) {
  const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : stream.below(limit); };
  for (std::size_t times = 1 + below(3); times > 0; --times) {
    const std::size_t at = below(text.size());
    const std::size_t other = below(text.size());
    switch (below(5)) {
      case 0:
        text.erase(at, 1 + below(8));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 2:
        text.insert(at, text.substr(other, below(60)));
        break;
      case 3:
        if (below(8) == 0) text.resize(at);
        break;
      default:
        text.insert(at, kPieces[below(kPieces.size())]);
    }
  }
  return text;
}

// What the file needs beside itself.
SiteOptions options_for(const std::string& format) {
  SiteOptions options;
  if (format == "nccl") return options;
  options.gpus_per_node = 2;
  options.gpu = "h100";
  if (format == "ibnetdiscover") return options;
  options.link = gigabits_per_second(400);
  options.uplinks = 2;
  return options;
}

// Whether it could be read, joined, written and read again. Anything but an Error escapes.
bool reads(const ImporterEntry& importer, const std::string& text) {
  try {
    std::optional<NcclNode> node;
    std::optional<Fabric> fabric;
    importer.recognises(text);
    if (importer.read_node) node = importer.read_node("f", text);
    if (importer.read_fabric) fabric = importer.read_fabric("f", text);
    const Site site = join_site(node, fabric, options_for(importer.name));
    parse_platform("site.xml", to_xml(site.spec, "site", site.hardware));
  } catch (const Error& error) {
    EXPECT_TRUE(error.exit_code() == 2 || error.exit_code() == 3) << error.what();
    EXPECT_GT(std::string(error.what()).size(), 5U);
    EXPECT_EQ(std::string(error.what()).find("site.xml"), std::string::npos) << error.what();
    return false;
  }
  return true;
}

struct Example {
  const char* format;
  const char* file;
};
const Example kExamples[] = {{"nccl", "node.xml"},
                             {"ibnetdiscover", "fabric.ibnetdiscover"},
                             {"ibnetdiscover", "ports.ibnetdiscover"},
                             {"slurm", "tree.conf"},
                             {"slurm", "blocks.conf"},
                             {"lingjun", "topo.csv"}};

TEST(DamagedSiteFiles, AreReadOrRefused) {
  RandomStream stream = RandomSource(20).stream("site files");
  for (const Example& example : kExamples) {
    const ImporterEntry& importer = importer_for("f", "", example.format);
    const std::string whole = testing::site_text(example.file);
    ASSERT_TRUE(reads(importer, whole)) << example.file;
    int read = 0;
    for (int i = 0; i < mutations(); ++i) {
      const std::string text = damaged(whole, stream);
      SCOPED_TRACE(text);
      ASSERT_NO_THROW(read += reads(importer, text) ? 1 : 0) << example.file << ", mutation " << i;
    }
    EXPECT_LT(read, mutations() * 9 / 10) << example.file;  // most damage is seen
  }
}

TEST(DamagedSiteFiles, AnyFormatsFileGivenToAnotherIsRefused) {
  for (const ImporterEntry& importer : importers())
    for (const Example& example : kExamples) {
      const bool own = importer.name == std::string(example.format);
      EXPECT_EQ(reads(importer, testing::site_text(example.file)), own)
          << importer.name << " and " << example.file;
    }
}

}  // namespace

}  // namespace trainyard
