#include "rows/child.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trainyard::bench {

namespace {

double in_seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double cpu_s(const rusage& usage) {
  return in_seconds_of(usage.ru_utime) + in_seconds_of(usage.ru_stime);
}

double largest_rss_mb() {
  rusage own{}, children{};
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  return static_cast<double>(std::max(own.ru_maxrss, children.ru_maxrss)) * 1024 / 1e6;
}

// What the child tells: one line of numbers, then two of text.
std::string report_of(const Outcome& outcome, double uncounted_s, double wall_s, double rss_mb) {
  std::ostringstream report;
  report.precision(17);
  report << uncounted_s << ' ' << wall_s << ' ' << rss_mb << ' ' << in_seconds(outcome.simulated)
         << ' ' << outcome.events << '\n'
         << outcome.note << '\n'
         << outcome.absent << '\n';
  return report.str();
}

std::string work_and_report(Outcome (*work)()) {
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const double rss = largest_rss_mb(), before_check = own_cpu_s();
  if (outcome.check) outcome.check();
  const double uncounted = outcome.uncounted_cpu_s + own_cpu_s() - before_check;
  return report_of(outcome, uncounted, wall.count(), rss);
}

// Leaves by exit(), so that the engine's own cleaning up counts too.
[[noreturn]] void be_the_child(Outcome (*work)(), int output) {
  try {
    const std::string report = work_and_report(work);
    if (write(output, report.data(), report.size()) != static_cast<ssize_t>(report.size()))
      std::exit(1);
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    std::exit(1);
  }
  std::exit(0);
}

std::string read_all(int input) {
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(input, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

}  // namespace

double own_cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return cpu_s(usage);
}

void expect_near(const std::string& what, double actual, double expected, double tolerance) {
  if (std::abs(actual - expected) <= tolerance * std::abs(expected)) return;
  std::ostringstream problem;
  problem.precision(12);
  problem << "WRONG RESULT: " << what << " is " << actual << " instead of " << expected;
  throw std::runtime_error(problem.str());
}

Measured measure(Outcome (*work)()) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::cout.flush();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    close(ends[0]);
    be_the_child(work, ends[1]);
  }
  close(ends[1]);
  std::istringstream report(read_all(ends[0]));
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error("the row failed");
  Measured measured;
  double uncounted = 0;
  report >> uncounted >> measured.wall_s >> measured.rss_mb >> measured.simulated_s >>
      measured.events;
  report.ignore();
  std::getline(report, measured.note);
  std::getline(report, measured.absent);
  measured.cpu_s = cpu_s(usage) - uncounted;
  return measured;
}

}  // namespace trainyard::bench
