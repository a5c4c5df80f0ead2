// `plans:` and `workload:` as jobs: numbering, plans by rule, blocks, limits.
#include "study/workload_reader.hpp"

#include "app/refusal.hpp"
#include "platforms/xml.hpp"

#include <gmock/gmock.h>

namespace trainyard {

namespace {

using ::testing::ElementsAre;

const char* const kPlans =
    "plans:\n"
    "  wide: {layers: 1, forward: 1 ms, backward: 1 ms, tensor: 8, tensor_message: 1 MiB,"
    " gradient_per_layer: 1 MiB}\n"
    "  flat: {layers: 1, forward: 1 ms, backward: 1 ms, gradient_per_layer: 1 MiB}\n";

class WorkloadReader : public ::testing::Test {
protected:
  // 2 nodes of 4 GPUs; traces are found in the test's folder.
  Workload read(const std::string& yaml) {
    const Platform platform = load_platform(TRAINYARD_SOURCE_DIR "/platforms/tiny_2x4.xml", {});
    Document document = Document::parse(kPlans + yaml, "e.yaml");
    Section root = document.root();
    Workload workload = read_workload(root, platform, [this](const std::string& file) {
      return (place_.path() / file).string();
    });
    root.finish();
    return workload;
  }

  std::vector<std::string> names(const Workload& workload) {
    std::vector<std::string> result;
    for (const Job& job : workload.jobs) result.push_back(job.name);
    return result;
  }

  testing::Workplace place_;
};

TEST_F(WorkloadReader, NumbersJobsBySubmissionThenByTheFilesOrder) {
  const Workload workload = read(
      "workload:\n"
      "  - jobs:\n"
      "      - {name: late, gpus: 1, run_time: 1 s, submit: 2 s}\n"
      "      - {name: first, gpus: 1, run_time: 1 s}\n"
      "  - jobs:\n"
      "      - {name: second, gpus: 1, run_time: 1 s}\n");
  EXPECT_THAT(names(workload), ElementsAre("first", "second", "late"));
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) EXPECT_EQ(workload.jobs[i].id.index(), i);
  EXPECT_EQ(workload.jobs[1].workload, "w1");
}

TEST_F(WorkloadReader, GivesATracesJobsThePlanOfTheFirstRuleThatFits) {
  place_.write("t.swf", testing::swf_line(1, 10, 1, 1) + testing::swf_line(2, 10, 4, 1) +
                            testing::swf_line(3, 10, 8, 1));
  const Workload workload = read(
      "workload: [{trace: {format: swf, file: t.swf, plans: [{from_gpus: 8, plan: wide},"
      " {from_gpus: 2, to_gpus: 7, plan: flat}]}}]\n");
  ASSERT_EQ(workload.jobs.size(), 3U);
  EXPECT_EQ(workload.jobs[0].plan, -1);
  EXPECT_EQ(workload.plans[static_cast<std::size_t>(workload.jobs[1].plan)].name, "flat");
  EXPECT_EQ(workload.plans[static_cast<std::size_t>(workload.jobs[2].plan)].name, "wide");
}

TEST_F(WorkloadReader, KeepsATensorGroupOnANode) {
  const Workload workload = read(
      "workload:\n"
      "  - jobs:\n"
      "      - {name: all, gpus: 8, plan: wide, steps: 1}\n"
      "      - {name: three, gpus: 3, plan: wide, steps: 1}\n"
      "      - {name: flat, gpus: 4, plan: flat, steps: 1}\n");
  EXPECT_EQ(workload.jobs[0].gpus_per_block, 4);  // the node's four, not the plan's eight
  EXPECT_EQ(workload.jobs[1].gpus_per_block, 3);
  EXPECT_EQ(workload.jobs[2].gpus_per_block, 1);
}

TEST_F(WorkloadReader, KillsATracesJobAtTheLongerOfItsTimesAndSomeGrace) {
  place_.write("t.swf", testing::swf_line(1, 300, 1, 1) + testing::swf_line(2, 100, 1, 1));
  const Workload workload =
      read("workload: [{trace: {format: swf, file: t.swf, limit_grace: 0.5}}]\n");
  EXPECT_DOUBLE_EQ(in_seconds(workload.jobs[0].kill_after), 450);  // it ran longer than its 200 s
  EXPECT_DOUBLE_EQ(in_seconds(workload.jobs[1].kill_after), 300);
  EXPECT_EQ(workload.counts.at("recorded run time above own limit"), 1);
}

TEST_F(WorkloadReader, KillsAWrittenJobAtItsLimitAndNeverWithoutOne) {
  const Workload workload = read(
      "workload: [{jobs: [{name: a, gpus: 1, run_time: 1 s, limit: 5 s},"
      " {name: b, gpus: 1, run_time: 1 s}]}]\n");
  EXPECT_EQ(workload.jobs[0].kill_after, seconds(5));
  EXPECT_EQ(workload.jobs[1].kill_after, forever());
}

TEST_F(WorkloadReader, TellsTracesOfOneFileApartByTheirWorkload) {
  place_.write("t.swf", testing::swf_line(1, 300, 1, 1));
  const Workload workload = read(
      "workload:\n"
      "  - {name: monday, trace: {format: swf, file: t.swf, queue_priority: {1: 7}}}\n"
      "  - {name: tuesday, trace: {format: swf, file: t.swf, gpus_per_processor: 2}}\n");
  EXPECT_THAT(names(workload), ElementsAre("1", "1"));
  EXPECT_EQ(workload.jobs[0].workload, "monday");
  EXPECT_EQ(workload.jobs[0].priority, 7);
  EXPECT_EQ(workload.jobs[1].workload, "tuesday");
  EXPECT_EQ(workload.jobs[1].gpus, 2);
}

TEST_F(WorkloadReader, CountsWhatTracesDropTogether) {
  place_.write("t.swf", testing::swf_line(1, 300, 1, 1) + testing::swf_line(2, 0, 1, 1));
  const Workload workload = read(
      "workload:\n"
      "  - {trace: {format: swf, file: t.swf}}\n"
      "  - {trace: {format: swf, file: t.swf}}\n");
  EXPECT_EQ(workload.counts.at("dropped: run time unknown or zero"), 2);
}

}  // namespace

}  // namespace trainyard
