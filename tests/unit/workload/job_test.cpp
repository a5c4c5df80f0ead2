// Job states carry Slurm's names.
#include "workload/job.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

TEST(JobState, HasSlurmsName) {
  EXPECT_STREQ(to_string(JobState::Pending), "PENDING");
  EXPECT_STREQ(to_string(JobState::Running), "RUNNING");
  EXPECT_STREQ(to_string(JobState::Completing), "COMPLETING");
  EXPECT_STREQ(to_string(JobState::Completed), "COMPLETED");
  EXPECT_STREQ(to_string(JobState::Timeout), "TIMEOUT");
  EXPECT_STREQ(to_string(JobState::NodeFail), "NODE_FAIL");
  EXPECT_STREQ(to_string(JobState::Preempted), "PREEMPTED");
  EXPECT_STREQ(to_string(JobState::Cancelled), "CANCELLED");
}

}  // namespace
}  // namespace trainyard
