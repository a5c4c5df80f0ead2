// What ends a run from outside: it leaves no child, and no file of a result that is not whole.
#include "app/refusal.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

namespace trainyard::testing {

namespace {

// Runs for minutes: every step is played.
std::string endless(const std::string& added = "") {
  return replaced(one_job("time_compression: off\n" + added), "steps: 10", "steps: 100000000");
}

// Of /proc/<pid>/stat: the state and the parent; "" and 0 if there is no such process.
struct ProcessState {
  std::string state;
  pid_t parent = 0;
};
ProcessState state_of(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(in, text);
  std::istringstream words(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  ProcessState result;
  words >> result.state >> result.parent;
  return result;
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t process = static_cast<pid_t>(std::atoi(entry.path().filename().c_str()));
    if (process > 0 && state_of(process).parent == parent) children.push_back(process);
  }
  return children;
}

bool runs(pid_t process) {
  const std::string state = state_of(process).state;
  return !state.empty() && state != "Z";
}

bool within_seconds(int seconds, const std::function<bool()>& condition) {
  for (int i = 0; i < seconds * 100; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return condition();
}

void expect_gone(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes)
    EXPECT_TRUE(within_seconds(20, [&] { return !runs(process); })) << process;
}

// Two points are being simulated: their staging directory is there, and their processes are.
std::vector<pid_t> wait_for_points(const Workplace& place, pid_t sweep) {
  std::vector<pid_t> children;
  EXPECT_TRUE(within_seconds(60, [&] {
    children = children_of(sweep);
    return children.size() == 2 && std::filesystem::exists(place.path() / "out.partial-sweep");
  }));
  return children;
}

class Signals : public ::testing::TestWithParam<int> {};

TEST_P(Signals, EndARunWithoutATrace) {
  const Workplace place;
  place.write("e.yaml", endless());
  const std::vector<std::string> before = place.listing();
  const pid_t run = place.start({"run", "e.yaml", "-o", "deep/out"});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  kill(run, GetParam());
  EXPECT_EQ(place.finish(run).code, 128 + GetParam());
  EXPECT_EQ(place.listing(), before);
}

TEST_P(Signals, EndASweepAndItsPointsWithoutATrace) {
  const Workplace place;
  place.write("e.yaml", endless("sweep: {seed: [1, 2, 3]}\n"));
  const std::vector<std::string> before = place.listing();
  const pid_t sweep = place.start({"run", "e.yaml", "-o", "out", "-j", "2"});
  const std::vector<pid_t> children = wait_for_points(place, sweep);
  kill(sweep, GetParam());
  const Outcome outcome = place.finish(sweep);
  EXPECT_EQ(outcome.code, 128 + GetParam());
  EXPECT_EQ(outcome.err, std::string("trainyard: interrupted by signal ") +
                             std::to_string(GetParam()) + " (" + strsignal(GetParam()) + ")\n");
  EXPECT_EQ(place.listing(), before);
  expect_gone(children);
}

INSTANTIATE_TEST_SUITE_P(FromOutside, Signals, ::testing::Values(SIGINT, SIGTERM, SIGHUP),
                         [](const auto& signal) { return sigabbrev_np(signal.param); });

TEST(Sigkill, TakesTheSweepsPointsAlongAndTheNextRunTidiesUp) {
  const Workplace place;
  place.write("e.yaml", endless("sweep: {seed: [1, 2, 3]}\n"));
  const pid_t sweep = place.start({"run", "e.yaml", "-o", "out", "-j", "2"});
  const std::vector<pid_t> children = wait_for_points(place, sweep);
  kill(sweep, SIGKILL);
  EXPECT_EQ(place.finish(sweep).code, 128 + SIGKILL);
  expect_gone(children);
  place.write("e.yaml", one_job("sweep: {seed: [1, 2]}\n"));
  EXPECT_EQ(place.run({"run", "e.yaml", "-o", "out"}).code, 0);
  for (const std::string& name : place.listing())
    EXPECT_EQ(name.find("partial"), std::string::npos) << name;
}

TEST(Sigkill, OfOnePointFailsTheWholeSweep) {
  const Workplace place;
  place.write("e.yaml", endless("sweep: {seed: [1, 2]}\n"));
  const std::vector<std::string> before = place.listing();
  const pid_t sweep = place.start({"run", "e.yaml", "-o", "out", "-j", "2"});
  const std::vector<pid_t> children = wait_for_points(place, sweep);
  kill(*std::min_element(children.begin(), children.end()), SIGKILL);
  const Outcome outcome = place.finish(sweep);
  EXPECT_EQ(outcome.code, 128 + SIGKILL);
  EXPECT_EQ(outcome.err,
            "trainyard: the run was ended by signal 9 (Killed) (sweep point seed=1)\n");
  EXPECT_EQ(place.listing(), before);
  expect_gone(children);
}

}  // namespace

}  // namespace trainyard::testing
