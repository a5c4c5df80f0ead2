// The line that moves on a terminal, and nowhere else.
#include "app/refusal.hpp"

#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <regex>
#include <set>
#include <thread>
#include <unistd.h>

namespace trainyard::testing {

namespace {

class Terminal {
public:
  Terminal() : master_(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
    grantpt(master_);
    unlockpt(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() { close(master_); }

  std::string device() const { return ptsname(master_); }

  // What has been printed so far.
  const std::string& text() {
    char buffer[4096];
    for (ssize_t count = 0; (count = read(master_, buffer, sizeof buffer)) > 0;)
      text_.append(buffer, static_cast<std::size_t>(count));
    return text_;
  }

private:
  int master_;
  std::string text_;
};

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    found.insert(match->str());
  return found;
}

// One job, no decision of the scheduler for minutes: the line moves all the same.
TEST(Progress, MovesWhileOneLongJobRuns) {
  Terminal terminal;
  Workplace place;
  place.terminal = terminal.device();
  place.write("e.yaml",
              replaced(one_job("time_compression: off\n"), "steps: 10", "steps: 9999999"));
  const pid_t run = place.start({"run", "e.yaml", "-o", "out"});
  const auto moved = [&] { return matches(terminal.text(), "simulated [0-9a-z ]+").size() >= 3; };
  for (int i = 0; i < 3000 && !moved(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(run, SIGTERM);
  place.finish(run);
  EXPECT_TRUE(moved()) << terminal.text();
}

TEST(Progress, CountsThePointsOfASweep) {
  Terminal terminal;
  Workplace place;
  place.terminal = terminal.device();
  place.write("e.yaml", one_job("sweep: {seed: [1, 2]}\n"));
  EXPECT_EQ(place.run({"run", "e.yaml", "-o", "out", "-j", "1"}).code, 0);
  EXPECT_EQ(matches(terminal.text(), "runs [0-9]/2"),
            (std::set<std::string>{"runs 1/2", "runs 2/2"}));
}

TEST(Progress, IsQuietWhenAsked) {
  Terminal terminal;
  Workplace place;
  place.terminal = terminal.device();
  place.write("e.yaml", one_job());
  EXPECT_EQ(place.run({"run", "e.yaml", "-o", "out", "--quiet"}).code, 0);
  EXPECT_EQ(terminal.text(), "");
}

}  // namespace

}  // namespace trainyard::testing
