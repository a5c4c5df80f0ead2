// Strict reading: every error says file, line, column, path, problem, and what would do.
#include "config/section.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace trainyard {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Reader = std::function<void(Section&)>;

// What the reader says of that file; "" if it has nothing to say.
std::string error_of(const std::string& yaml, const Reader& read) {
  try {
    Document document = Document::parse(yaml, "exp.yaml");
    Section root = document.root();
    read(root);
    root.finish();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void read_network(Section& root) {
  Section network = root.section("network");
  network.one_of_or("model", {"flow", "analytic", "simgrid", "packet"}, "flow");
  network.one_of_or("routing", {"static", "ecmp", "spray"}, "ecmp");
  network.finish();
}

TEST(Section, AMisspeltKeyIsAnErrorWithANearMatch) {
  EXPECT_EQ(error_of("seed: 7\n\nnetwork:\n  routing: ecmp\n  modle: flow\n",
                     [](Section& root) {
                       root.integer("seed", 0);
                       read_network(root);
                     }),
            "exp.yaml:5:3: network.modle: unknown key; did you mean 'model'?");
}

TEST(Section, AnUnknownKeyIsAnErrorWithAllKnownKeys) {
  EXPECT_EQ(error_of("network: {colour: red}", read_network),
            "exp.yaml:1:11: network.colour: unknown key; known: model, routing");
  EXPECT_EQ(error_of("colour: red", [](Section&) {}), "exp.yaml:1:1: colour: unknown key");
}

TEST(Section, AMissingKeyIsAnErrorAtItsMapping) {
  EXPECT_EQ(error_of("job:\n  nodes: 2\n",
                     [](Section& root) { root.section("job").positive_int("gpus_per_node"); }),
            "exp.yaml:2:3: job.gpus_per_node: is required and missing");
  EXPECT_EQ(error_of("seed: 7\n", read_network), "exp.yaml:1:1: network: is required and missing");
}

TEST(Section, AMissingKeyThatIsThereMisspeltIsNamedAtTheMisspelling) {
  EXPECT_EQ(error_of("seed: 7\nnetwrok: {}\n", read_network),
            "exp.yaml:2:1: netwrok: unknown key; did you mean 'network'?");
}

TEST(Section, AKeyThatWasOnlyLookedAtWasNotRead) {
  EXPECT_EQ(error_of("seed: 7", [](Section& root) { EXPECT_TRUE(root.has("seed")); }),
            "exp.yaml:1:1: seed: has no effect here");
}

TEST(Section, ABareNumberIsNotASize) {
  EXPECT_EQ(error_of("size: 64", [](Section& root) { root.bytes("size"); }),
            "exp.yaml:1:7: size: '64' has no unit; units: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
}

TEST(Section, QuantitiesMustMakeSense) {
  const auto size = [](Section& root) { root.bytes("x"); };
  const auto time = [](Section& root) { root.seconds("x"); };
  const auto rate = [](Section& root) { root.bandwidth("x"); };
  EXPECT_EQ(error_of("x: -5 MiB", size), "exp.yaml:1:4: x: must be positive, got '-5 MiB'");
  EXPECT_EQ(error_of("x: 0 B", size), "exp.yaml:1:4: x: must be positive, got '0 B'");
  EXPECT_EQ(error_of("x: -1 s", time), "exp.yaml:1:4: x: must not be negative, got '-1 s'");
  EXPECT_EQ(error_of("x: 0 s", time), "");
  EXPECT_EQ(error_of("x: 0 GB/s", rate), "exp.yaml:1:4: x: must be positive, got '0 GB/s'");
}

TEST(Section, IntegersStateTheirRange) {
  const auto positive = [](Section& root) { root.positive_int("n"); };
  EXPECT_EQ(error_of("n: 0", positive), "exp.yaml:1:4: n: must be a positive integer, got '0'");
  EXPECT_EQ(error_of("n: 1.5", positive), "exp.yaml:1:4: n: must be a positive integer, got '1.5'");
  EXPECT_EQ(error_of("n: 2147483648", positive),
            "exp.yaml:1:4: n: must be at most 2147483647, got '2147483648'");
  EXPECT_EQ(error_of("n: 2", [](Section& root) { root.integer("n", 3); }),
            "exp.yaml:1:4: n: must be an integer of at least 3, got '2'");
}

TEST(Section, NumbersStateTheirRange) {
  const auto number = [](double from, double to) {
    return [=](Section& root) { root.number("x", from, to); };
  };
  EXPECT_EQ(error_of("x: 2", number(0, 1)),
            "exp.yaml:1:4: x: must be a number from 0 to 1, got '2'");
  EXPECT_EQ(error_of("x: -1", number(0, kInfinity)),
            "exp.yaml:1:4: x: must be a number of at least 0, got '-1'");
  EXPECT_EQ(error_of("x: 1", number(-kInfinity, 0)),
            "exp.yaml:1:4: x: must be a number of at most 0, got '1'");
  for (const char* text : {"nan", "inf", ".inf", "one", "1,5"})
    EXPECT_EQ(error_of("x: " + std::string(text), number(-kInfinity, kInfinity)),
              "exp.yaml:1:4: x: must be a number, got '" + std::string(text) + "'");
}

TEST(Section, WordsComeFromAKnownList) {
  EXPECT_EQ(error_of("network: {model: folw}", read_network),
            "exp.yaml:1:18: network.model: unknown value 'folw'; did you mean 'flow'?");
  EXPECT_EQ(error_of("network: {model: quantum}", read_network),
            "exp.yaml:1:18: network.model: unknown value 'quantum'; known: flow, analytic, "
            "simgrid, packet");
  EXPECT_EQ(error_of("x: maybe", [](Section& root) { root.yes_no("x"); }),
            "exp.yaml:1:4: x: must be on or off, got 'maybe'");
}

TEST(Section, EveryValueSaysWhatItIsInsteadOfWhatItShouldBe) {
  const auto text = [](Section& root) { root.text("x"); };
  const auto section = [](Section& root) { root.section("x"); };
  const auto sections = [](Section& root) { root.sections("x"); };
  const auto texts = [](Section& root) { root.texts("x"); };
  EXPECT_EQ(error_of("x: [1]", text), "exp.yaml:1:4: x: must be a single value, got a list");
  EXPECT_EQ(error_of("x: {}", text), "exp.yaml:1:4: x: must be a single value, got a mapping");
  EXPECT_EQ(error_of("x:", text), "exp.yaml:1:1: x: must be a single value, got nothing");
  EXPECT_EQ(error_of("x: flow", section), "exp.yaml:1:4: x: must be a mapping, got 'flow'");
  EXPECT_EQ(error_of("x:", section), "exp.yaml:1:1: x: must be a mapping, got nothing");
  EXPECT_EQ(error_of("x: {}", sections),
            "exp.yaml:1:4: x: must be a list of mappings, got a mapping");
  EXPECT_EQ(error_of("x: [{}, 5]", sections), "exp.yaml:1:9: x[1]: must be a mapping, got '5'");
  EXPECT_EQ(error_of("x: 5", texts), "exp.yaml:1:4: x: must be a list, got '5'");
  EXPECT_EQ(error_of("x: [5, []]", texts),
            "exp.yaml:1:8: x[1]: must be a single value, got a list");
}

TEST(Section, PathsNameTheListItem) {
  EXPECT_EQ(error_of("workload:\n  - gpus: 1\n  - gpus: 0\n",
                     [](Section& root) {
                       for (Section& job : root.sections("workload")) job.positive_int("gpus");
                     }),
            "exp.yaml:3:11: workload[1].gpus: must be a positive integer, got '0'");
}

TEST(Section, ChecksThatSpanKeysHaveAPlaceToo) {
  Document document = Document::parse("a: 1\nb: {c: 2}\n", "exp.yaml");
  Section root = document.root();
  Section b = root.section("b");
  EXPECT_STREQ(b.error("no").what(), "exp.yaml:2:4: b: no");
  EXPECT_STREQ(b.error("c", "no").what(), "exp.yaml:2:8: b.c: no");
  EXPECT_STREQ(b.error("d", "no").what(), "exp.yaml:2:4: b.d: no");
  EXPECT_STREQ(b.infeasible("c", "too many").what(), "exp.yaml:2:8: b.c: too many");
}

TEST(Section, ReadsEveryKindOfValue) {
  Document document = Document::parse(
      "text: 'a: b'\nword: flow\nint: 3\nnumber: 2.5\nflag: off\nsize: 64 MiB\ntime: 2 us\n"
      "rate: 400 Gbit/s\nlist: [1, two]\n",
      "exp.yaml");
  Section root = document.root();
  EXPECT_EQ(root.text("text"), "a: b");
  EXPECT_EQ(root.one_of("word", {"flow"}), "flow");
  EXPECT_EQ(root.positive_int("int"), 3);
  EXPECT_EQ(root.number("number", 0, 10), 2.5);
  EXPECT_FALSE(root.yes_no("flag"));
  EXPECT_EQ(root.bytes("size"), mebibytes(64));
  EXPECT_EQ(root.seconds("time"), microseconds(2));
  EXPECT_EQ(root.bandwidth("rate"), gigabytes_per_second(50));
  EXPECT_EQ(root.texts("list"), (std::vector<std::string>{"1", "two"}));
  EXPECT_EQ(root.maybe_text("absent"), std::nullopt);
  EXPECT_FALSE(root.maybe_section("absent").has_value());
  root.finish();
}

TEST(Section, LooksWithoutReading) {
  Document document = Document::parse("a: 1\nb: [1]\nc: {d: 1}\n", "exp.yaml");
  const Section root = document.root();
  EXPECT_TRUE(root.is_scalar("a"));
  EXPECT_TRUE(root.is_list("b"));
  EXPECT_TRUE(root.is_section("c"));
  EXPECT_FALSE(root.is_section("absent"));
  EXPECT_EQ(root.keys(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Section, PathsInAFileAreRelativeToTheFile) {
  Document nested = Document::parse("{}", "experiments/02_policy/experiment.yaml");
  EXPECT_EQ(nested.root().resolve_path("../../platforms/tiny.xml"), "platforms/tiny.xml");
  EXPECT_EQ(nested.root().resolve_path("/data/week.swf"), "/data/week.swf");
  Document here = Document::parse("{}", "experiment.yaml");
  EXPECT_EQ(here.root().resolve_path("week.swf"), "week.swf");
}

}  // namespace
}  // namespace trainyard
