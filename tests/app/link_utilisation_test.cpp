// link_utilisation.csv: what links carry over time.
#include "program.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace trainyard::testing {
namespace {

// Two jobs of unequal periods that never settle on equal steps, spread over the nodes of one rail.
const char* const kTwoJobs =
    "platform: " TRAINYARD_SOURCE_DIR
    "/platforms/dgx_h100_x32_rail.xml\n"
    "plans:\n"
    "  a: {operations: [{name: c, compute: 1 s}, {name: t, all_reduce: 50 GB, algorithm: ring, "
    "after: [c]}]}\n"
    "  b: {operations: [{name: c, compute: 1.37 s}, {name: t, all_reduce: 55 GB, algorithm: ring, "
    "after: [c]}]}\n"
    "workload: [{jobs: [{name: a, gpus: 32, plan: a, steps: 3000}, {name: b, gpus: 32, plan: b, "
    "steps: 2000}]}]\n"
    "scheduler: {policy: fifo, placement: random}\n"
    "output: {links_every: 1 min}\n";

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) all.push_back(cell);
  return all;
}

// A column's sums by link, which is the first.
std::map<std::string, double> sums(const std::string& csv, std::size_t column) {
  std::map<std::string, double> all;
  std::istringstream in(csv);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) all[cells(line)[0]] += std::stod(cells(line)[column]);
  return all;
}

TEST(LinkUtilisation, AddsUpToTheBytesOfTheWholeRunJumpsIncluded) {
  const Workplace place;
  place.write("e.yaml", kTwoJobs);
  const Outcome outcome = place.run({"run", "e.yaml", "-o", "out", "-q"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(place.read("out/summary.json").find("\"steps_jumped\": 0,"), std::string::npos);
  const std::string history = place.read("out/link_utilisation.csv");
  const std::map<std::string, double> binned = sums(history, 4);
  int busy = 0;
  for (const auto& [link, bytes] : sums(place.read("out/links.csv"), 4)) {
    if (bytes == 0) continue;
    ++busy;
    ASSERT_EQ(binned.count(link), 1U) << link;
    EXPECT_NEAR(binned.at(link), bytes, 1e-9 * bytes) << link;
  }
  EXPECT_GT(busy, 0);
  std::istringstream in(history);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) EXPECT_LE(std::stod(cells(line)[5]), 1.01) << line;
}

TEST(LinkUtilisation, IsNotThereUnlessItIsAskedFor) {
  const Workplace place;
  std::string yaml = kTwoJobs;
  place.write("e.yaml", yaml.substr(0, yaml.find("output:")));
  ASSERT_EQ(place.run({"run", "e.yaml", "-o", "out", "-q"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(place.path() / "out/link_utilisation.csv"));
}

// A cable that fails is a span of the timeline, from its failure to its return.
TEST(Timeline, ShowsCablesThatFail) {
  const Workplace place;
  std::string yaml = kTwoJobs;
  place.write("e.yaml",
              yaml.substr(0, yaml.find("output:")) +
                  "failures: {list: [{cable: node0/nic0, at: 100 s, repair: 50 s, factor: "
                  "0.5}]}\n");
  const Outcome outcome = place.run({"run", "e.yaml", "-o", "out", "-q"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string trace = place.read("out/trace.json");
  const std::size_t at = trace.find("\"node0/nic0/up slow\"");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NE(trace.find("\"ts\":100000000.000,\"dur\":50000000.000", at), std::string::npos);
}

TEST(Settings, OfAKeyThatTheSweepVariesAreRefused) {
  const Workplace place;
  place.write("e.yaml", std::string(kTwoJobs) + "sweep: {scheduler.placement: [random, spread]}\n");
  const Outcome outcome = place.run({"run", "e.yaml", "--set", "scheduler.placement=first_fit"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--set: scheduler.placement: the sweep varies 'scheduler.placement'"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace trainyard::testing
