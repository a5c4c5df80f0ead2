// Failures as a value: each node's own stream, the list in between, by time.
#include "actors/failure_plan.hpp"

#include "platforms/xml.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace trainyard {

namespace {

std::vector<PlannedFailure> first_failures(const FailureSpec& spec, const Platform& platform,
                                           std::uint64_t seed, std::size_t count) {
  FailurePlan plan(spec, platform, RandomSource(seed));
  std::vector<PlannedFailure> failures;
  while (failures.size() < count) {
    const std::optional<PlannedFailure> next = plan.next();
    if (!next) break;
    failures.push_back(*next);
  }
  return failures;
}

Platform sixteen_nodes() {
  return load_platform(TRAINYARD_SOURCE_DIR "/platforms/dgx_h100_x128_rail.xml", {});
}

}  // namespace

TEST(FailurePlan, HasTheMeanTimeBetweenFailuresThatWasAskedFor) {
  FailureSpec spec;
  spec.node_mtbf = hours(100);
  spec.node_repair = hours(2);
  const Platform platform = sixteen_nodes();
  const std::size_t count = 20000;
  const auto failures = first_failures(spec, platform, 3, count);
  ASSERT_EQ(failures.size(), count);
  // A node fails every 102 h of wall time. Of 20,000 exponential gaps the mean is known to
  // 1/sqrt(20,000) = 0.7 %: five of those.
  const double expected =
      static_cast<double>(count) * in_seconds(hours(102)) / platform.node_count();
  EXPECT_NEAR(in_seconds(failures.back().at), expected, 0.035 * expected);
}

TEST(FailurePlan, IsInOrderAndNeverFailsANodeThatIsDown) {
  FailureSpec spec;
  spec.node_mtbf = hours(3);
  spec.node_repair = hours(2);
  std::map<std::int32_t, Seconds> back;
  Seconds last;
  for (const PlannedFailure& failure : first_failures(spec, sixteen_nodes(), 4, 2000)) {
    EXPECT_GE(failure.at, last);
    EXPECT_GE(failure.at, back[failure.part.node.value()]);
    EXPECT_NEAR(in_seconds(failure.back - failure.at), 7200, 1e-6);
    last = failure.at;
    back[failure.part.node.value()] = failure.back;
  }
}

TEST(FailurePlan, KeepsItsRandomFailuresWhenOneIsListed) {
  FailureSpec spec;
  spec.node_mtbf = hours(50);
  const Platform platform = sixteen_nodes();
  const auto random = first_failures(spec, platform, 5, 100);
  spec.listed.push_back({{NodeId(3)}, hours(20), minutes(5)});
  const auto with_list = first_failures(spec, platform, 5, 101);
  std::size_t i = 0, listed = 0;
  for (const PlannedFailure& failure : with_list) {
    if (failure.at == hours(20)) {
      ++listed;
      continue;
    }
    EXPECT_EQ(failure.at, random[i].at);
    EXPECT_EQ(failure.part.node, random[i].part.node);
    ++i;
  }
  EXPECT_EQ(listed, 1U);
}

}  // namespace trainyard
