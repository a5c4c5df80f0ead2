// Pieces of work in processes of their own: how many at a time, and whose error is told.
#include "study/child_runs.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace trainyard {

namespace {

// Memory that children share with the test.
struct Shared {
  std::atomic<int> started{0}, running{0}, most{0};
};

class ChildRuns : public ::testing::Test {
protected:
  ChildRuns()
      : shared_(new (mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Shared) {}
  ~ChildRuns() override { munmap(shared_, sizeof(Shared)); }

  static void pause(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }

  // The error's exit code and text; 0 if there was none.
  static std::pair<int, std::string> outcome(const ChildWork& children, int workers) {
    try {
      run_children(children, workers);
    } catch (const Error& error) {
      return {error.exit_code(), error.what()};
    }
    return {0, ""};
  }

  static bool no_child_is_left() { return waitpid(-1, nullptr, WNOHANG) == -1; }

  Shared* shared_;
  std::vector<std::string> five_ = {"a", "b", "c", "d", "e"};
};

void nothing(std::size_t /*piece*/) {}

TEST_F(ChildRuns, DoEveryPieceOnceAndNoMoreAtATimeThanAsked) {
  for (const int workers : {1, 2, 5, 100}) {
    shared_->started = shared_->most = 0;
    std::size_t done = 0;
    const auto work = [&](std::size_t) {
      ++shared_->started;
      const int now = ++shared_->running;
      if (now > shared_->most) shared_->most = now;
      pause(20);
      --shared_->running;
    };
    EXPECT_EQ(outcome({five_, work, [&](std::size_t count) { done = count; }}, workers).first, 0);
    EXPECT_EQ(shared_->started, 5);
    EXPECT_EQ(done, 5U);
    EXPECT_LE(shared_->most, workers);
  }
}

TEST_F(ChildRuns, TellTheFirstErrorInOrderHoweverManyWorkers) {
  const auto work = [](std::size_t piece) {
    pause(piece == 2 ? 60 : 1);
    if (piece == 2) throw InfeasibleError({"file", 3}, "key", "impossible");
    if (piece > 2) throw InputError({"other"}, "", "wrong");
  };
  for (const int workers : {1, 2, 3, 5})
    EXPECT_EQ(outcome({five_, work, nothing}, workers),
              std::pair(3, std::string("file:3: key: impossible (c)")));
  EXPECT_TRUE(no_child_is_left());
}

TEST_F(ChildRuns, StartNothingAfterAFailureAndKillWhatIsLater) {
  const auto work = [&](std::size_t piece) {
    ++shared_->started;
    if (piece == 0) throw InputError({"file"}, "", "wrong");
    pause(60'000);
  };
  EXPECT_EQ(outcome({five_, work, nothing}, 2), std::pair(2, std::string("file: wrong (a)")));
  EXPECT_LE(shared_->started, 2);
  EXPECT_TRUE(no_child_is_left());
}

TEST_F(ChildRuns, CallAnUnexpectedExceptionAnInternalError) {
  const auto work = [](std::size_t) { throw std::logic_error("oops"); };
  EXPECT_EQ(outcome({{""}, work, nothing}, 1),
            std::pair(kInternalError, std::string("internal error: oops")));
}

TEST_F(ChildRuns, NameTheSignalThatEndedAPiece) {
  const auto work = [](std::size_t piece) {
    if (piece == 1) std::raise(SIGKILL);
  };
  EXPECT_EQ(outcome({five_, work, nothing}, 2),
            std::pair(128 + SIGKILL, std::string("the run was ended by signal 9 (Killed) (b)")));
}

TEST_F(ChildRuns, KeepAMessageThatIsLongerThanAPipe) {
  const auto work = [](std::size_t) { throw InputError({}, "", std::string(1'000'000, 'x')); };
  const auto [code, message] = outcome({{""}, work, nothing}, 1);
  EXPECT_EQ(code, 2);
  EXPECT_GT(message.size(), 10'000U);
}

TEST_F(ChildRuns, WorkUnderAParentThatIgnoredSigchld) {
  std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(outcome({five_, nothing, nothing}, 2).first, 0);
}

TEST_F(ChildRuns, OfNothingAreDone) { EXPECT_EQ(outcome({{}, nothing, nothing}, 2).first, 0); }

TEST(HeldSignals, ComeWhenTheyAreLetGo) {
  EXPECT_EXIT(
      {
        {
          const HeldSignals held;
          std::raise(SIGTERM);
          std::fputs("still here", stderr);
        }
        std::exit(0);
      },
      ::testing::KilledBySignal(SIGTERM), "still here");
}

TEST(HeldSignals, StayIgnoredIfTheyWere) {
  EXPECT_EXIT(
      {
        std::signal(SIGHUP, SIG_IGN);
        {
          const HeldSignals held;
          std::raise(SIGHUP);
        }
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace

}  // namespace trainyard
