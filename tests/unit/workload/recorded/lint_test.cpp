// The linter, rule by rule, on jobs made by hand.
#include "workload/lint/lint.hpp"

#include "workload/importers/recorded/assemble.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

Operation collective(CollectiveKind kind, std::int64_t size) {
  Operation o;
  o.name = std::string(to_string(kind)) + "_" + std::to_string(size);
  o.kind = Operation::Kind::Communicate;
  o.collective = kind;
  o.size = bytes(size);
  o.group = Group{0};
  return o;
}

// One group of all ranks; each rank has a program of its own.
JobProgram job_of(const std::vector<std::vector<Operation>>& programs) {
  JobProgram job;
  job.slots = {{"dp", Dimension::Data}};
  job.groups = {{0, {}}};
  for (std::size_t r = 0; r < programs.size(); ++r) {
    job.programs.push_back({programs[r]});
    job.ranks.push_back({static_cast<int>(r), {0}});
    job.groups[0].ranks.push_back(static_cast<int>(r));
  }
  return job;
}

std::vector<std::string> rules_of(const JobProgram& job) {
  std::vector<std::string> rules;
  for (const LintFinding& finding : lint(job)) rules.push_back(finding.rule);
  return rules;
}

using Rules = std::vector<std::string>;
const Operation kReduce = collective(CollectiveKind::AllReduce, 8);
const Operation kGather = collective(CollectiveKind::AllGather, 8);

TEST(Lint, NothingIsSaidOfAJobThatMatches) {
  EXPECT_EQ(rules_of(job_of({{kReduce, kGather}, {kReduce, kGather}})), Rules{});
}

TEST(Lint, AnotherKindOrSizeIsAMismatch) {
  EXPECT_EQ(rules_of(job_of({{kReduce}, {kGather}})), Rules{"mismatched collectives"});
  EXPECT_EQ(rules_of(job_of({{kReduce}, {collective(CollectiveKind::AllReduce, 9)}})),
            Rules{"mismatched collectives"});
}

TEST(Lint, TheSameCollectivesInAnotherOrderAreSaidToBeThat) {
  const std::vector<LintFinding> findings = lint(job_of({{kReduce, kGather}, {kGather, kReduce}}));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "order of collectives");
  EXPECT_EQ(findings[0].place, "rank 1, operation 'all_gather_8'");
  EXPECT_EQ(findings[0].problem,
            "number 1 of rank 1 on 'dp' (ranks 0, 1) is all_gather of 8 B, of rank 0 all_reduce of "
            "8 B (rank 0, operation 'all_reduce_8')");
}

TEST(Lint, OneMoreOnOneRankWaitsForEver) {
  EXPECT_EQ(rules_of(job_of({{kReduce, kReduce}, {kReduce}})), Rules{"mismatched collectives"});
  const Operation transfer = collective(CollectiveKind::SendRecv, 8);
  EXPECT_EQ(rules_of(job_of({{transfer, transfer}, {transfer}})), Rules{"unmatched transfer"});
}

TEST(Lint, ACollectiveOfNoBytesIsAnErrorUnlessItIsABarrier) {
  const Operation nothing = collective(CollectiveKind::AllReduce, 0);
  EXPECT_EQ(rules_of(job_of({{nothing}, {nothing}})),
            (Rules{"zero-size collective", "zero-size collective"}));  // of two programs
  const Operation barrier = collective(CollectiveKind::Barrier, 0);
  EXPECT_EQ(rules_of(job_of({{barrier}, {barrier}})), Rules{});
}

TEST(Lint, RanksThatAreMissingAreNamedOnce) {
  EXPECT_EQ(rules_of(job_of({{kReduce}, {}})), Rules{"missing rank"});
  JobProgram job = job_of({{kReduce}, {kReduce}});
  job.groups[0].ranks.push_back(7);
  EXPECT_EQ(rules_of(job), Rules{"missing rank"});
}

TEST(Lint, ACircleIsSpelledOut) {
  Operation a, b;
  a.name = "a";
  b.name = "b";
  a.after = {1};
  b.after = {0};
  b.stream = 1;
  const std::vector<LintFinding> findings = lint(job_of({{a, b}}));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].problem, "operations wait in a circle: a -> b -> a");
}

// ---- What only a record shows ----

TEST(LintRecorded, KernelsOfAStreamThatOverlapAreNamedWithBothPlaces) {
  RecordedStep step;
  step.unit = "event";
  step.ranks.resize(1);
  step.ranks[0].file = "profile.json";
  const auto add = [&](std::int64_t event, double start_us, double duration_us) {
    RecordedOperation& o = step.ranks[0].operations.emplace_back();
    o.place = event;
    o.start = microseconds(start_us);
    o.duration = o.operation.duration = microseconds(duration_us);
  };
  add(10, 0, 100);
  add(11, 101, 50);  // within rounding
  add(12, 140, 5);   // 11 us before the end of the one before
  const std::vector<LintFinding> findings = lint_recorded(step, assemble(step));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "unordered kernels");
  EXPECT_EQ(findings[0].place, "profile.json: event 12");
  EXPECT_EQ(findings[0].problem,
            "starts 11.000 us before the end of the kernel before it on its stream (event 11)");
}

TEST(LintRecorded, TheFirstErrorRefusesTheJob) {
  RecordedStep step;
  step.unit = "line";
  step.ranks.resize(2);
  RecordedGroups groups(step);
  for (RecordedRank& rank : step.ranks) {
    rank.file = "trace";
    RecordedOperation& o = rank.operations.emplace_back();
    o.place = 4;
    o.operation = collective(CollectiveKind::AllReduce, 0);
    o.operation.group = Group{groups.of("world", {0, 1})};
  }
  try {
    sound_job(step);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "trace:4: zero-size collective: all_reduce of 0 B");
  }
}

}  // namespace
}  // namespace trainyard
