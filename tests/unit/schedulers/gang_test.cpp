// Gang scheduling: who takes turns with whom.
#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace trainyard {
namespace {

// Two nodes of four GPUs; jobs are made to run, stand still or wait since some second.
class Turns : public ::testing::Test {
protected:
  Turns() : world(small_platform(2, 4)) {
    PolicyOptions options;
    options.time_slice = seconds(10);
    policy = make_gang(options);
  }

  void runs(const std::vector<int>& on, double since, std::int64_t priority = 0) {
    since_[world.run({static_cast<int>(on.size()), forever(), priority}, on)] = seconds(since);
  }
  void stands_still(const std::vector<int>& on, double since) {
    Job job = asking(static_cast<int>(on.size()), 1, 100 + static_cast<int>(still_.size()));
    still_.push_back({job, gpus(on), seconds(since)});
  }

  std::vector<std::string> decisions_at(double now) {
    ClusterView view = world.view(seconds(now));
    for (RunningJob& running : view.running) running.since = since_.at(running.job->id);
    for (const Still& one : still_) {
      RunningJob suspended;
      suspended.job = &one.job;
      suspended.allocation = &one.allocation;
      suspended.since = one.since;
      view.suspended.push_back(suspended);
    }
    std::vector<std::string> words;
    for (const Decision& decision : policy->decide(view, *placement_named("first_fit"))) {
      if (const auto* suspend = std::get_if<Suspend>(&decision))
        words.push_back("suspend " + std::to_string(suspend->job.value()));
      else if (const auto* resume = std::get_if<Resume>(&decision))
        words.push_back("resume " + std::to_string(resume->job.value()));
      else
        words.push_back(in_words({decision}).front());
    }
    wake = policy->wake(view);
    return words;
  }

  World world;
  std::unique_ptr<SchedulingPolicy> policy;
  Seconds wake;

private:
  struct Still {
    Job job;
    Allocation allocation;
    Seconds since;
  };
  std::map<JobId, Seconds> since_;
  std::deque<Still> still_;
};

using Words = std::vector<std::string>;

TEST_F(Turns, WithinASliceNobodyIsSuspended) {
  runs({0, 1, 2, 3, 4, 5, 6, 7}, 12);
  world.submit({8});
  EXPECT_EQ(decisions_at(19), Words{});
  EXPECT_EQ(wake, seconds(20));
}

TEST_F(Turns, AtTheNextSliceAWaitingJobTakesItsTurn) {
  runs({0, 1, 2, 3, 4, 5, 6, 7}, 12);
  world.submit({8});
  EXPECT_EQ(decisions_at(20), (Words{"suspend 0", "start 1 on 0 1 2 3 4 5 6 7"}));
}

TEST_F(Turns, ASuspendedJobGoesOnWhereItStoodStill) {
  runs({0, 1, 2, 3}, 10);
  runs({4, 5, 6, 7}, 10);
  stands_still({2, 3, 4, 5}, 10);
  EXPECT_EQ(decisions_at(20), (Words{"suspend 0", "suspend 1", "resume 100"}));
}

TEST_F(Turns, OnlyWhoIsInTheWayIsSuspended) {
  runs({0, 1, 2, 3}, 10);
  runs({4, 5, 6, 7}, 10);
  stands_still({5, 6}, 10);
  EXPECT_EQ(decisions_at(20), (Words{"suspend 1", "resume 100"}));
}

TEST_F(Turns, WhoRanLongestMakesRoomFirst) {
  runs({0, 1, 2, 3}, 10);
  runs({4, 5, 6, 7}, 0);
  world.submit({4});
  EXPECT_EQ(decisions_at(20), (Words{"suspend 1", "start 2 on 4 5 6 7"}));
}

TEST_F(Turns, AHigherPriorityMakesNoRoomForALowerOne) {
  runs({0, 1, 2, 3, 4, 5, 6, 7}, 0, 5);
  world.submit({8});
  EXPECT_EQ(decisions_at(20), Words{});
}

TEST_F(Turns, NobodyIsSuspendedInVain) {
  runs({0, 1, 2, 3}, 0);
  runs({4, 5, 6, 7}, 22);  // its slice is not over
  world.submit({8});
  EXPECT_EQ(decisions_at(25), Words{});
}

TEST_F(Turns, NobodyIsWokenWhoHasNobodyToServe) {
  runs({0, 1, 2, 3}, 0);
  EXPECT_EQ(decisions_at(25), Words{});
  EXPECT_EQ(wake, forever());
}

}  // namespace
}  // namespace trainyard
