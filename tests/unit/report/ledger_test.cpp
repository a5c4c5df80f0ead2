#include "base/rng.hpp"
#include "report/metrics.hpp"
#include "small_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {
namespace {

double of(const std::vector<LedgerClass>& classes, const char* name) {
  return gpu_seconds_of(classes, name);
}

TEST(Ledger, PutsEveryGpuSecondOfTheSmallRunInOneClass) {
  const auto classes = ledger(small_platform(), small_log());
  // alpha holds 4 GPUs; beta holds 2 GPUs twice; node 2 has 2 GPUs.
  EXPECT_DOUBLE_EQ(of(classes, "productive"), 4 * (45 - 2 - 1 - 3) + 2 * 8 + 2 * 36);
  EXPECT_DOUBLE_EQ(of(classes, "slow_gpu"), 4 * 2);
  EXPECT_DOUBLE_EQ(of(classes, "slow_link"), 4 * 1);
  EXPECT_DOUBLE_EQ(of(classes, "contention"), 4 * 3);
  EXPECT_DOUBLE_EQ(of(classes, "checkpoint"), 4 * 5 + 2 * 2);
  EXPECT_DOUBLE_EQ(of(classes, "restart"), 2 * 4);
  EXPECT_DOUBLE_EQ(of(classes, "lost"), 2 * 10);
  EXPECT_DOUBLE_EQ(of(classes, "down"), 2 * (90 - 25));
  const double allocated = 4 * (60 - 10) + 2 * (25 - 5) + 2 * (80 - 40);
  EXPECT_DOUBLE_EQ(of(classes, "idle"), 8 * 100 - allocated - 2 * (90 - 25));
}

TEST(Ledger, ListsItsClassesInOneOrder) {
  std::string names;
  for (const LedgerClass& one : ledger(small_platform(), small_log())) names += one.name + " ";
  EXPECT_EQ(names,
            "productive slow_gpu slow_link failed_link variation contention checkpoint restart "
            "lost suspended idle down ");
}

TEST(Ledger, CarvesOverlappingCausesInOrderAndNeverMoreThanTheWork) {
  EventLog log = small_log();
  AttemptRecord& alpha = log.attempts[1];
  alpha.slow_gpu = seconds(30);
  alpha.slow_link = seconds(20);  // only 45 - 30 = 15 are left
  alpha.contention = seconds(5);  // nothing is left
  const auto classes = ledger(small_platform(), log);
  EXPECT_DOUBLE_EQ(of(classes, "slow_gpu"), 4 * 30);
  EXPECT_DOUBLE_EQ(of(classes, "slow_link"), 4 * 15);
  EXPECT_DOUBLE_EQ(of(classes, "contention"), 0);
  EXPECT_DOUBLE_EQ(of(classes, "productive"), 2 * 8 + 2 * 36);
}

TEST(Ledger, ANegativeCauseTakesNothing) {
  EventLog log = small_log();
  log.attempts[1].contention = seconds(-1e-12);  // a difference of two equal durations
  EXPECT_DOUBLE_EQ(of(ledger(small_platform(), log), "contention"), 0);
}

TEST(Ledger, AnOutageThatOutlastsTheRunEndsWithIt) {
  EventLog log = small_log();
  log.outages[0].up = forever();
  EXPECT_DOUBLE_EQ(of(ledger(small_platform(), log), "down"), 2 * (100 - 25));
}

TEST(Ledger, OverlappingOutagesOfANodeCountOnce) {
  EventLog log = small_log();
  log.outages.push_back({NodeId{2}, seconds(20), seconds(40)});
  log.attempts[0].end = seconds(20);
  log.attempts[0].lost = seconds(5);
  EXPECT_DOUBLE_EQ(of(ledger(small_platform(), log), "down"), 2 * (90 - 20));
}

TEST(Ledger, AGpuThatAnAttemptStillHoldsIsNotDown) {
  EventLog log = small_log();
  log.attempts[0].end = seconds(35);  // the survivors wait for their watchdog
  log.attempts[0].lost = seconds(20);
  const auto classes = ledger(small_platform(), log);
  EXPECT_DOUBLE_EQ(of(classes, "lost"), 2 * 20);
  EXPECT_DOUBLE_EQ(of(classes, "down"), 2 * (90 - 35));
}

TEST(Ledger, OfARunThatTookNoTimeIsZero) {
  for (const LedgerClass& one : ledger(small_platform(), EventLog{}))
    EXPECT_EQ(one.gpu_seconds, 0) << one.name;
}

// Random logs in whole seconds, and beside each a grid of GPU x second that is simply counted.
class RandomRun {
public:
  explicit RandomRun(std::uint64_t seed) : random_(seed) {
    platform = nodes_of_gpus(number(1, 6), number(1, 8));
    end_ = number(1, 200);
    log.end = seconds(end_);
    held_.assign(platform.gpus.size() * static_cast<std::size_t>(end_), false);
    for (int i = number(0, 30); i > 0; --i) add_attempt();
    for (int i = number(0, 8); i > 0; --i) {
      const int down = number(0, end_ - 1);
      log.outages.push_back({NodeId{number(0, platform.node_count() - 1)}, seconds(down),
                             seconds(down + number(0, end_))});
    }
  }

  double counted_down() const {
    double down = 0;
    for (std::size_t gpu = 0; gpu < platform.gpus.size(); ++gpu)
      for (int second = 0; second < end_; ++second)
        if (!held_[cell(gpu, second)] && is_down(platform.gpus[gpu].node, second)) ++down;
    return down;
  }
  double counted_idle() const {
    double idle = 0;
    for (std::size_t gpu = 0; gpu < platform.gpus.size(); ++gpu)
      for (int second = 0; second < end_; ++second)
        if (!held_[cell(gpu, second)] && !is_down(platform.gpus[gpu].node, second)) ++idle;
    return idle;
  }

  Platform platform;
  EventLog log;

private:
  int number(int least, int most) {
    return least + static_cast<int>(random_.below(static_cast<std::uint64_t>(most - least) + 1));
  }
  std::size_t cell(std::size_t gpu, int second) const {
    return gpu * static_cast<std::size_t>(end_) + static_cast<std::size_t>(second);
  }
  bool is_down(NodeId node, int second) const {
    return std::any_of(log.outages.begin(), log.outages.end(), [&](const OutageRecord& o) {
      return o.node == node && in_seconds(o.down) <= second && second < in_seconds(o.up);
    });
  }

  // Takes the GPUs that are free from a random second to another; splits the time at random.
  void add_attempt() {
    const int start = number(0, end_ - 1);
    const int stop = number(start, end_);
    AttemptRecord attempt;
    attempt.job = JobId{static_cast<std::int64_t>(log.jobs.size())};
    log.jobs.emplace_back();
    for (std::size_t gpu = 0; gpu < platform.gpus.size(); ++gpu) {
      const auto first = held_.begin() + static_cast<std::ptrdiff_t>(cell(gpu, start));
      if (number(0, 1) == 0 || std::count(first, first + (stop - start), true) > 0) continue;
      std::fill(first, first + (stop - start), true);
      attempt.allocation.gpus.push_back(GpuId{static_cast<std::int64_t>(gpu)});
    }
    attempt.start = seconds(start);
    attempt.end = seconds(stop);
    split(seconds(stop - start), attempt);
    log.attempts.push_back(attempt);
  }
  void split(Seconds time, AttemptRecord& attempt) {
    attempt.restart = time * (random_.uniform() / 4);
    attempt.checkpoint = time * (random_.uniform() / 4);
    attempt.lost = time * (random_.uniform() / 4);
    attempt.work = time - attempt.restart - attempt.checkpoint - attempt.lost;
    attempt.slow_gpu = attempt.work * random_.uniform();
    attempt.slow_link = attempt.work * random_.uniform();
    attempt.contention = attempt.work * random_.uniform();
  }

  RandomStream random_;
  int end_ = 1;
  std::vector<bool> held_;
};

TEST(Ledger, OfAnyConsistentLogSumsToGpusTimesTheRunsEnd) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomRun run(seed);
    const double all = run.platform.gpu_count() * in_seconds(run.log.end);
    const auto classes = ledger(run.platform, run.log);
    double sum = 0;
    for (const LedgerClass& one : classes) {
      EXPECT_GE(one.gpu_seconds, -1e-9 * all) << one.name << ", seed " << seed;
      sum += one.gpu_seconds;
    }
    EXPECT_NEAR(sum, all, 1e-9 * all) << "seed " << seed;
    EXPECT_NEAR(of(classes, "down"), run.counted_down(), 1e-9 * all) << "seed " << seed;
    EXPECT_NEAR(of(classes, "idle"), run.counted_idle(), 1e-9 * all) << "seed " << seed;
  }
}

}  // namespace
}  // namespace trainyard
