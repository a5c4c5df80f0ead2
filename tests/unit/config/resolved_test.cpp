// The resolved copy: everything that was read and every default, as YAML that reads back the same.
#include "base/rng.hpp"
#include "config/section.hpp"
#include "config/yaml_tree.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

// Reads the experiment below, in an order of its own and with defaults.
std::string resolve(const std::string& yaml) {
  Document document = Document::parse(yaml, "exp.yaml");
  Section root = document.root();
  root.text("question");
  root.integer_or("seed", 0, 1);
  Section network = root.section_or_empty("network");
  network.one_of_or("model", {"flow", "packet"}, "flow");
  network.bytes_or("buffer", mebibytes(4));
  network.finish();
  for (Section& job : root.sections("workload")) {
    job.positive_int("gpus");
    job.seconds_or("limit", forever());
    job.number_or("jitter", 0, 1, 0.25);
    if (auto checkpoint = job.maybe_section("checkpoint")) checkpoint->seconds("every");
    job.finish();
  }
  root.texts("sizes");
  root.yes_no_or("time_compression", true);
  root.maybe_text("note");
  root.finish();
  return document.resolved();
}

const char* const kExperiment =
    "sizes: [1 MiB, 64 MiB]\n"
    "workload:\n"
    "  - {gpus: 8, checkpoint: {every: 30 min}}\n"
    "  - {gpus: 16, limit: 2 h}\n"
    "question: 'What does 2:1 cost?'\n";

TEST(Resolved, HoldsWhatWasReadAndEveryDefaultInTheOrderOfAsking) {
  EXPECT_EQ(resolve(kExperiment),
            "question: \"What does 2:1 cost?\"\n"
            "seed: 1\n"
            "network:\n"
            "  model: flow\n"
            "  buffer: 4 MiB\n"
            "workload:\n"
            "  - gpus: 8\n"
            "    limit: forever\n"
            "    jitter: 0.25\n"
            "    checkpoint:\n"
            "      every: 30 min\n"
            "  - gpus: 16\n"
            "    limit: 2 h\n"
            "    jitter: 0.25\n"
            "sizes: [1 MiB, 64 MiB]\n"
            "time_compression: on\n");
}

TEST(Resolved, ReadAgainGivesTheSameBytes) {
  const std::string once = resolve(kExperiment);
  EXPECT_EQ(resolve(once), once);
}

TEST(Resolved, StartsAnewWithEachRoot) {
  Document document = Document::parse("a: 1\nb: 2\n", "exp.yaml");
  Section first = document.root();
  first.text("a");
  Section second = document.root();
  second.text("b");
  first.text("b");  // safe, and of no effect on the second
  EXPECT_EQ(document.resolved(), "b: 2\n");
}

std::string random_text(RandomStream& random) {
  const std::vector<std::string> pieces = {"a",
                                           "7",
                                           " ",
                                           ":",
                                           "#",
                                           "'",
                                           "\"",
                                           "\\",
                                           "\n",
                                           "\t",
                                           "-",
                                           "[",
                                           "]",
                                           "{",
                                           ",",
                                           "&",
                                           "*",
                                           "!",
                                           "|",
                                           ">",
                                           "%",
                                           "@",
                                           "null",
                                           "~",
                                           ".",
                                           "?",
                                           "\r",
                                           "\x01",
                                           "\x7f",
                                           "\xc3\xa9",
                                           "\xc2\x85",
                                           "\xe2\x80\xa8",
                                           "\xf0\x9f\x9a\x82",
                                           "on"};
  std::string text;
  for (std::uint64_t left = random.below(7); left > 0; --left)
    text += pieces[random.below(pieces.size())];
  return text;
}

TEST(Resolved, AnyTextReadsBackAsItself) {
  RandomStream random = RandomSource(5).stream("texts");
  for (int i = 0; i < 20000; ++i) {
    const YamlNode text{YamlNode::Kind::Scalar, random_text(random), {}, {}};
    YamlNode tree{YamlNode::Kind::Mapping, "", {}, {}};
    find_or_add(tree, "key") = text;
    find_or_add(tree, "list") = {YamlNode::Kind::List, "", {{"", {}, text}, {"", {}, text}}, {}};
    const std::string yaml = write_yaml(tree);
    const YamlNode back = parse_yaml(yaml, "exp.yaml");
    ASSERT_EQ(find_entry(back, "key")->value.scalar, text.scalar) << yaml;
    ASSERT_EQ(find_entry(back, "list")->value.entries.size(), 2U) << yaml;
    ASSERT_EQ(find_entry(back, "list")->value.entries.back().value.scalar, text.scalar) << yaml;
  }
}

// No input crashes the reader: it reads the file or says what is wrong with it.
TEST(Resolved, SurvivesAnyDamageToTheFile) {
  RandomStream random = RandomSource(5).stream("damage");
  const std::string letters = "[]{}:,-?!&*#|>'\"%@` \n\ta0~<=.\\";
  for (int i = 0; i < 20000; ++i) {
    std::string yaml = kExperiment;
    for (std::uint64_t edits = 1 + random.below(8); edits > 0; --edits) {
      const std::size_t at = random.below(yaml.size());
      const std::size_t count = random.below(3);
      yaml.replace(at, count, 1, letters[random.below(letters.size())]);
    }
    try {
      const std::string once = resolve(yaml);
      EXPECT_EQ(resolve(once), once) << yaml;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("exp.yaml", 0), 0U) << error.what();
    }
  }
}

}  // namespace
}  // namespace trainyard
