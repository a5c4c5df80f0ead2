// A sweep as data: its points, their names, and what they change.
#include "study/sweep.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {

namespace {

using ::testing::ElementsAre;

Document parse(const std::string& yaml) { return Document::parse(yaml, "e.yaml"); }

std::vector<std::string> labels(const std::vector<SweepPoint>& points) {
  std::vector<std::string> result;
  result.reserve(points.size());
  for (const SweepPoint& point : points) result.push_back(point.label());
  return result;
}

TEST(Sweep, IsAGridWhoseLastKeyVariesFastest) {
  Document document = parse("sweep: {b: [1, 2], a.c: [x, y z]}\n");
  EXPECT_THAT(labels(take_sweep(document)),
              ElementsAre("b=1 a.c=x", "b=1 a.c=y z", "b=2 a.c=x", "b=2 a.c=y z"));
}

TEST(Sweep, IsTakenOutOfTheDocument) {
  Document document = parse("seed: 1\nsweep: {seed: [1, 2]}\n");
  take_sweep(document);
  Section root = document.root();
  root.integer("seed", 0);
  EXPECT_NO_THROW(root.finish());
}

TEST(Sweep, ThatIsAbsentHasNoPoint) {
  Document document = parse("seed: 1\n");
  EXPECT_TRUE(take_sweep(document).empty());
}

TEST(Sweep, KeepsAValueAsItIsWritten) {
  Document document = parse("sweep: {name: ['1', 'a: b', '~', '']}\n");
  const std::vector<SweepPoint> points = take_sweep(document);
  std::vector<std::string> names;
  for (const SweepPoint& point : points) {
    Document copy = parse("name: old\n");
    settle(copy, point);
    names.push_back(copy.root().text("name"));
  }
  EXPECT_THAT(names, ElementsAre("1", "a: b", "~", ""));
}

TEST(Sweep, OpensAPlatformThatIsOnlyAFile) {
  Document document = parse("platform: p.xml\n");
  settle(document, {{{"platform.nodes", "4", {"e.yaml", 3, 1}}}});
  Section root = document.root();
  Section platform = root.section("platform");
  EXPECT_EQ(platform.text("file"), "p.xml");
  EXPECT_EQ(platform.text("nodes"), "4");
  EXPECT_EQ(to_string(platform.place("file")), "e.yaml:1:11");
  EXPECT_EQ(to_string(platform.place("nodes")), "e.yaml:3:1");
}

TEST(Sweep, LeavesAPlatformWithPropertiesAsItIs) {
  Document document = parse("platform: {file: p.xml, nodes: 2}\n");
  settle(document, {{{"platform.nodes", "4", {"e.yaml", 3, 1}}}});
  Section root = document.root();
  Section platform = root.section("platform");
  EXPECT_EQ(platform.text("file"), "p.xml");
  EXPECT_EQ(platform.text("nodes"), "4");
}

TEST(SweepPoint, IsADirectoryThatEveryShellAndFileSystemTakes) {
  const SweepPoint point{{{"workload.0.file", "../a b/c*\"'\n\xc3\xa9.swf", {}}}};
  EXPECT_EQ(point.directory(3), "03__workload.0.file=..-a-b-c------.swf");
  const SweepPoint lengthy{{{"name", std::string(1000, 'x'), {}}}};
  EXPECT_LE(lengthy.directory(0).size(), 255U);
}

}  // namespace

}  // namespace trainyard
