// `trainyard platform import` and `platform show --svg` as their users meet them.
#include "app/program.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <gmock/gmock.h>

namespace trainyard::testing {

namespace {

using ::testing::HasSubstr;

// A workplace with the site files of the unit tests.
class Site : public ::testing::Test {
protected:
  Site() {
    for (const char* name : {"node.xml", "fabric.ibnetdiscover", "tree.conf"}) {
      std::ifstream in(std::string(TRAINYARD_SOURCE_DIR) + "/tests/data/site/" + name);
      place.write(name, {std::istreambuf_iterator<char>(in), {}});
    }
  }
  Outcome import(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"platform", "import"});
    return place.run(arguments);
  }
  Workplace place;
};

TEST_F(Site, NodeAndFabricBecomeAPlatformThatIsShown) {
  const Outcome outcome = import({"node.xml", "fabric.ibnetdiscover", "-o", "site.xml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("node.xml: nccl: 4 GPUs, 4 NICs\n"));
  EXPECT_THAT(outcome.out, HasSubstr("fabric.ibnetdiscover: ibnetdiscover: 4 hosts, 4 switches, 16 "
                                     "cables of hosts, 8 between switches\n"));
  EXPECT_THAT(outcome.out, HasSubstr("note: known to NCCL and not modelled: affinity"));
  EXPECT_THAT(outcome.out, HasSubstr("site.xml: 4 nodes, 16 GPUs, 16 NICs, 4 switches\n"));
  const Outcome shown = place.run({"platform", "show", "site.xml"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("4 nodes, 16 GPUs, 16 NICs\n"));
  EXPECT_THAT(shown.out, HasSubstr("8 NICs (400 GB/s), 4 up to 2 switches (200 GB/s), 2:1\n"));
  // 2 nodes x 4 NICs x 50: both halves hang on the same leaves, no spine is crossed.
  EXPECT_THAT(shown.out, HasSubstr("bisection: 400 GB/s each way\n"));
  EXPECT_THAT(shown.out, HasSubstr("diameter: 4 links from NIC to NIC\n"));
}

TEST_F(Site, ImportingTwiceGivesTheSameBytesAndAnExistingFileIsKept) {
  ASSERT_EQ(import({"node.xml", "fabric.ibnetdiscover", "-o", "site.xml"}).code, 0);
  const std::string first = place.read("site.xml");
  const Outcome again = import({"node.xml", "fabric.ibnetdiscover", "-o", "site.xml"});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.err, "trainyard: site.xml: is there already; --replace replaces it\n");
  EXPECT_EQ(import({"fabric.ibnetdiscover", "node.xml", "-o", "site.xml", "--replace"}).code, 0);
  EXPECT_EQ(place.read("site.xml"), first);
}

TEST_F(Site, ATreeOfSlurmNeedsItsSpeedsFromTheCommandLine) {
  Outcome outcome = import({"tree.conf", "--gpus-per-node", "8", "--gpu", "h100", "-o", "s.xml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("trainyard: --link: is missing: "));
  outcome = import({"tree.conf", "--gpus-per-node", "8", "--gpu", "h100", "--link", "400 Gbit/s",
                    "--uplinks", "4", "-o", "s.xml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("s.xml: 6 nodes, 48 GPUs, 48 NICs, 4 switches\n"));
}

TEST_F(Site, MistakesLeaveNothingBehind) {
  struct Mistake {
    std::vector<std::string> arguments;
    std::string message;
  };
  place.write("broken.conf", "SwitchName=a Nods=n1\n");
  place.write("prose.txt", "hello\n");
  const std::vector<Mistake> mistakes = {
      {{"broken.conf", "-o", "s.xml"},
       "broken.conf:1:14: unknown key 'Nods'; did you mean 'Nodes'?"},
      {{"prose.txt", "-o", "s.xml"},
       "prose.txt: is in none of the known formats (nccl, ibnetdiscover, slurm, lingjun); --format "
       "NAME tries one of them"},
      {{"prose.txt", "--format", "slrum", "-o", "s.xml"},
       "--format: unknown format 'slrum'; did you mean 'slurm'?"},
      {{"tiny.xml", "-o", "s.xml"}, "tiny.xml: is a platform file already: use it as it is"},
      {{"none.xml", "-o", "s.xml"}, "none.xml: cannot be read: No such file or directory"},
      {{"tree.conf", "--link", "400", "-o", "s.xml"},
       "--link: '400' has no unit; units: B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, bit/s, "
       "kbit/s, Mbit/s, Gbit/s, Tbit/s"},
      {{"node.xml", "-o", "none/s.xml"},
       "none/s.xml: cannot be written: No such file or directory"},
  };
  const std::vector<std::string> before = place.listing();
  for (const Mistake& mistake : mistakes) {
    const Outcome outcome = import(mistake.arguments);
    EXPECT_EQ(outcome.code, 2) << mistake.message;
    EXPECT_EQ(outcome.err, "trainyard: " + mistake.message + "\n");
    EXPECT_EQ(outcome.out, "") << mistake.message;
    EXPECT_EQ(place.listing(), before) << mistake.message;
  }
}

TEST_F(Site, APlatformIsDrawn) {
  EXPECT_EQ(place.run({"platform", "show", "tiny.xml", "--svg", "tiny.svg"}).code, 0);
  EXPECT_THAT(place.read("tiny.svg"), HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  const Outcome again = place.run({"platform", "show", "tiny.xml", "--svg", "tiny.svg"});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.err, "trainyard: tiny.svg: is there already; --replace replaces it\n");
}

TEST(PlatformImport, ItsHelpNamesTheFilesAndGivesExamples) {
  const Outcome outcome = Workplace().run({"platform", "import", "--help"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* words : {"ibnetdiscover", "topology.conf", "Examples:", "--uplinks"})
    EXPECT_THAT(outcome.out, HasSubstr(words));
}

}  // namespace

}  // namespace trainyard::testing
