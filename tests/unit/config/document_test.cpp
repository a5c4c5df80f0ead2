// What makes a file readable at all, and what --set may do.
#include "config/section.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

std::string parse_error(const std::string& yaml) {
  try {
    Document::parse(yaml, "exp.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Document, AnEmptyFileIsAnError) {
  for (const char* yaml : {"", "\n\n", "# nothing but a comment\n"})
    EXPECT_EQ(parse_error(yaml), "exp.yaml: is empty; a mapping of keys to values is required");
}

TEST(Document, TheRootMustBeAMapping) {
  EXPECT_EQ(parse_error("hello"), "exp.yaml:1:1: must be a mapping of keys to values, got 'hello'");
  EXPECT_EQ(parse_error("- a\n- b\n"),
            "exp.yaml:1:1: must be a mapping of keys to values, got a list");
}

TEST(Document, BadYamlIsAnErrorWithItsPlace) {
  EXPECT_EQ(parse_error("a: 1\nb: [1, 2\n"),
            "exp.yaml:3:1: not valid YAML: end of sequence flow not found");
  EXPECT_EQ(parse_error("a: 1\n b: 2\n"), "exp.yaml:2:3: not valid YAML: illegal map value");
  EXPECT_EQ(parse_error("a: *nobody"),
            "exp.yaml:1:4: not valid YAML: the referenced anchor is not defined");
}

TEST(Document, ADuplicateKeyIsAnError) {
  EXPECT_EQ(parse_error("seed: 1\nnetwork:\n  model: flow\n  model: packet\n"),
            "exp.yaml:4:3: network.model: duplicate key; first given in line 3");
  EXPECT_EQ(parse_error("jobs: [{}, {a: 1, a: 2}]"),
            "exp.yaml:1:19: jobs[1].a: duplicate key; first given in line 1");
}

TEST(Document, BytesThatAreNotTextAreAnErrorWithTheirPlace) {
  EXPECT_EQ(parse_error("a: 1\nb: \xc3\xa9\xff\n"), "exp.yaml:2:5: byte 0xff is not valid UTF-8");
  EXPECT_EQ(parse_error(std::string("a: \0", 4)), "exp.yaml:1:4: byte 0x00 is a control character");
  EXPECT_EQ(parse_error("a: 1\n\x04 b: 2"), "exp.yaml:2:1: byte 0x04 is a control character");
}

TEST(Document, RefusesTheCornersOfYaml) {
  EXPECT_EQ(parse_error("a: 1\n---\nb: 2\n"),
            "exp.yaml:2:1: a second YAML document; one file holds one");
  EXPECT_EQ(parse_error("a: !gpu 5"), "exp.yaml:1:4: a: tags are not supported, got '!gpu'");
  EXPECT_EQ(parse_error("a: {<<: {b: 1}}"),
            "exp.yaml:1:5: a: merge keys ('<<') are not supported; write the keys out");
  EXPECT_EQ(parse_error("? [a, b]\n: 1\n"),
            "exp.yaml:1:3: a key must be a single word, got a list");
  EXPECT_EQ(parse_error("a: &x [1, *x]"),
            "exp.yaml:1:11: a[1]: an alias inside the value that it stands for");
}

TEST(Document, DeepAndExplodingFilesAreErrors) {
  const std::string deep = "a: " + std::string(200, '[') + std::string(200, ']');
  EXPECT_NE(parse_error(deep).find("nested too deeply"), std::string::npos);
  std::string bomb = "l0: &l0 [x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string below = "*l" + std::to_string(i - 1);
    bomb += "l" + std::to_string(i) + ": &l" + std::to_string(i) + " [" + below;
    for (int k = 0; k < 8; ++k) bomb += ", " + below;
    bomb += "]\n";
  }
  EXPECT_NE(parse_error(bomb).find("aliases make this file too large"), std::string::npos);
}

TEST(Document, AnAliasStandsForWhatItsAnchorNames) {
  Document document = Document::parse("a: &plan {gpus: 8}\nb: *plan\n", "exp.yaml");
  Section root = document.root();
  EXPECT_EQ(root.section("b").positive_int("gpus"), 8);
}

TEST(Document, SetReplacesAndCreatesValues) {
  Document document = Document::parse("network: {model: flow}\nseed: 7\n", "exp.yaml");
  document.set("network.model", "packet");
  document.set("checkpoint.every", "30 min");
  document.set("sizes", "[1 MiB, 2 MiB]");
  Section root = document.root();
  EXPECT_EQ(root.section("network").text("model"), "packet");
  EXPECT_EQ(root.section("checkpoint").seconds("every"), minutes(30));
  EXPECT_EQ(root.texts("sizes"), (std::vector<std::string>{"1 MiB", "2 MiB"}));
}

std::string set_error(const std::string& path, const std::string& value) {
  Document document = Document::parse("seed: 7\njobs: [{gpus: 1}]\n", "exp.yaml");
  try {
    document.set(path, value);
    Section root = document.root();
    root.integer_or("seed", 0, 0);
    root.sections("jobs");
    root.finish();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Document, SetsAnEntryOfAListByItsNumberFromZero) {
  Document document = Document::parse("jobs: [{gpus: 1}, {gpus: 2}]\n", "exp.yaml");
  document.set("jobs.1.gpus", "8");
  Section root = document.root();
  std::vector<Section> jobs = root.sections("jobs");
  EXPECT_EQ(jobs[0].integer("gpus", 1), 1);
  EXPECT_EQ(jobs[1].integer("gpus", 1), 8);
}

TEST(Document, SetErrorsNameTheCommandLine) {
  EXPECT_EQ(set_error("sede", "8"), "--set: sede: unknown key; did you mean 'seed'?");
  EXPECT_EQ(set_error("seed", "-8"), "--set: seed: must be an integer of at least 0, got '-8'");
  EXPECT_EQ(set_error("seed.x", "8"), "--set: seed.x: 'x' is looked for in '7', not in a mapping");
  EXPECT_EQ(
      set_error("jobs.gpus", "8"),
      "--set: jobs.gpus: 'gpus' is looked for in a list; its entries count from 0 and there are 1");
  EXPECT_EQ(set_error("seed..x", "8"), "--set: seed..x: has an empty part");
  EXPECT_EQ(set_error("", "8"), "--set: has an empty part");
  EXPECT_EQ(set_error("seed", "[1"),
            "--set: seed: '[1' is neither a single value nor a list; quote it?");
  EXPECT_EQ(set_error("seed", "a: 1"),
            "--set: seed: 'a: 1' is neither a single value nor a list; quote it?");
}

}  // namespace
}  // namespace trainyard
