// Who slows whom: pairs of jobs whose answer is known. Played without an engine.
#include "study/interference.hpp"

#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace trainyard {

namespace {

// Jobs of two GPUs, one on each of two nodes with a single NIC of 50 GB/s.
std::string job(const std::string& name) {
  return "{name: " + name + ", gpus: 2, plan: " + name + ", steps: 10}";
}

// A ring of two sends each its whole buffer: 50 GB take a second.
std::string plan(const std::string& name, const std::string& compute, const std::string& bytes) {
  return "  " + name + ": {operations: [{name: c, compute: " + compute +
         "}, {name: t, all_reduce: " + bytes + ", algorithm: ring, after: [c]}]}\n";
}

Interference played(const std::string& yaml) {
  const Experiment experiment = experiment_of(yaml);
  const auto routing = make_routing(experiment.platform, experiment.routing);
  return interference(experiment, *routing);
}

std::string shared_nics(const std::string& plans, const std::string& jobs) {
  return "platform: " + switch_platform(2, 2, 1) + "\nplans:\n" + plans + "workload: [{jobs: [" +
         jobs + "]}]\nscheduler: {policy: fifo, placement: spread}\n";
}

// The first job's step wanders between 2 and 3 s for ever; its mean is 2.445 s.
TEST(Interference, KnowsTheMeanOfJobsThatNeverSettle) {
  const Interference result = played(shared_nics(
      plan("a", "1 s", "50 GB") + plan("b", "1.37 s", "55 GB"), job("a") + ", " + job("b")));
  ASSERT_EQ(result.jobs.size(), 2U);
  EXPECT_NEAR(in_seconds(result.jobs[0].alone), 2, 1e-4);
  EXPECT_NEAR(in_seconds(result.jobs[1].alone), 2.47, 1e-4);
  EXPECT_NEAR(2 * (1 + result.effects[0][1].slowdown), 2.445, 0.005 * 2.445);
  EXPECT_NEAR(in_seconds(result.jobs[0].together), 2.445, 0.005 * 2.445);
  EXPECT_NE(result.effects[0][1].link.find("nic0"), std::string::npos) << result.effects[0][1].link;
}

TEST(Interference, OfJobsThatOnlyCommunicateIsTheirShareOfTheLink) {
  const Interference result = played(shared_nics(
      plan("a", "1 us", "50 GB") + plan("b", "1 us", "50 GB"), job("a") + ", " + job("b")));
  EXPECT_NEAR(result.effects[0][1].slowdown, 1, 1e-3);
  EXPECT_NEAR(result.effects[1][0].slowdown, 1, 1e-3);
}

TEST(Interference, IsNoneWhereNoLinkIsShared) {
  const std::string yaml = "platform: " + switch_platform(4, 1) + "\nplans:\n" +
                           plan("a", "1 s", "50 GB") + plan("b", "1 s", "50 GB") +
                           "workload: [{jobs: [" + job("a") + ", " + job("b") +
                           "]}]\nscheduler: {policy: fifo, placement: first_fit}\n";
  const Interference result = played(yaml);
  EXPECT_EQ(result.effects[0][1].slowdown, 0);
  EXPECT_EQ(result.effects[0][1].link, "");
}

TEST(Interference, NamesTheJobsThatDoNotFitAndWritesThePairs) {
  const Interference result = played(
      shared_nics(plan("a", "1 us", "50 GB") + plan("b", "1 us", "50 GB"),
                  job("a") + ", " + job("b") + ", {name: late, gpus: 2, plan: a, steps: 1}"));
  EXPECT_EQ(result.left_out, std::vector<std::string>{"late"});
  std::ostringstream csv;
  write_interference_csv(result, csv);
  EXPECT_EQ(csv.str().substr(0, csv.str().find('\n')),
            "job,rival,gpus,step_alone_s,step_beside_s,slowdown,link");
  EXPECT_NE(csv.str().find("\na,b,2,"), std::string::npos) << csv.str();
  EXPECT_NE(csv.str().find("\na,*,2,"), std::string::npos) << csv.str();
}

}  // namespace

}  // namespace trainyard
