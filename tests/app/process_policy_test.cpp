// A user's own policy as a whole run: the shipped example, and a program that fails in the middle.
#include "app/program.hpp"

#include <gtest/gtest.h>

namespace trainyard::testing {
namespace {

const std::string kExample =
    std::string(TRAINYARD_SOURCE_DIR) + "/schedulers/process/largest_first.py";

std::string experiment(const std::string& command) {
  return "platform: " + std::string(TRAINYARD_SOURCE_DIR) + "/platforms/tiny_2x4.xml\n" + R"(
workload:
  - jobs:
      - {name: small, gpus: 4, run_time: 10 s}
      - {name: large, gpus: 8, run_time: 10 s}
scheduler: {policy: process, command: )" +
         command + "}\n";
}

TEST(ProcessPolicyRun, TheExampleRunsTheLargeJobBeforeTheSmallOneTheSameEveryTime) {
  const Workplace workplace;
  workplace.write("e.yaml", experiment("[python3, " + kExample + "]"));
  for (const std::string output : {"one", "two"})
    ASSERT_EQ(workplace.run({"run", "e.yaml", "-o", output}).code, 0);
  const std::string jobs = workplace.read("one/sacct.txt");
  EXPECT_NE(jobs.find("|small|||||1970-01-01T00:00:00|1970-01-01T00:00:00|1970-01-01T00:00:10|"),
            std::string::npos)
      << jobs;
  EXPECT_EQ(workplace.contents("one"), workplace.contents("two"));
}

TEST(ProcessPolicyRun, AProgramThatEndsEndsTheRunWithExitCode5AndLeavesNothing) {
  const Workplace workplace;
  workplace.write("policy.sh",
                  "read hello; echo '{\"protocol\": 1}'; read question; "
                  "echo '{\"decisions\": [{\"start\": 1}]}'; read question; exit 7\n");
  workplace.write("e.yaml", experiment("[sh, policy.sh]"));
  const Outcome outcome = workplace.run({"run", "e.yaml", "-o", "results"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_EQ(outcome.err,
            "trainyard: sh policy.sh: ended with exit code 7 instead of answering the decision at "
            "t=10.002 s\n");
  EXPECT_EQ(workplace.listing(), (std::vector<std::string>{"e.yaml", "policy.sh", "tiny.xml"}));
}

TEST(ProcessPolicyRun, ACommandIsNeededAndNothingElseIsTaken) {
  const Workplace workplace;
  std::string text = experiment("[sh, policy.sh]");
  workplace.write("none.yaml", replaced(text, ", command: [sh, policy.sh]", ""));
  const Outcome none = workplace.run({"check", "none.yaml"});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("scheduler.command: "), std::string::npos) << none.err;
  workplace.write("fifo.yaml", replaced(text, "policy: process", "policy: fifo"));
  const Outcome fifo = workplace.run({"check", "fifo.yaml"});
  EXPECT_EQ(fifo.code, 2);
  EXPECT_NE(fifo.err.find("command"), std::string::npos) << fifo.err;
}

}  // namespace
}  // namespace trainyard::testing
