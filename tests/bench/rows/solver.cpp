// How the cost of one max-min solve grows with the links it touches.
#include "base/text.hpp"
#include "network/max_min.hpp"
#include "rows/row.hpp"

#include <cmath>
#include <ctime>
#include <memory>
#include <stdexcept>

namespace trainyard::bench {

namespace {

constexpr std::int64_t kFewest = 1 << 8, kMost = 1 << 14, kAllTogether = 1 << 18;
constexpr double kSteepest = 1.35;  // of time over links, both logarithmic: n log n and caches

double cpu_now_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Neighbours in a chain share half of their 16 links; what they load on them differs, so that they
// freeze one after another.
std::vector<FlowGroup> chain_over(std::int64_t links) {
  constexpr std::int64_t kLong = 16;
  std::vector<FlowGroup> groups;
  for (std::int64_t first = 0; first + kLong <= links; first += kLong / 2) {
    FlowGroup group;
    for (std::int64_t link = first; link < first + kLong; ++link)
      group.demands.push_back({LinkId(link), 1 + static_cast<double>(link * 7919 % 101) / 100});
    group.length = 1e6;
    groups.push_back(std::move(group));
  }
  return groups;
}

// Of a solve that touches them all: the mean over as many solvers as make every point the same
// amount of work.
double solve_s(std::int64_t links) {
  Platform platform;
  Link link;
  link.bandwidth = gigabytes_per_second(50);
  platform.links.assign(static_cast<std::size_t>(links), link);
  const std::vector<FlowGroup> groups = chain_over(links);
  std::vector<std::unique_ptr<MaxMin>> solvers;
  for (std::int64_t i = 0; i < kAllTogether / links; ++i) {
    solvers.push_back(std::make_unique<MaxMin>(nominal_capacities(platform), platform));
    for (const FlowGroup& group : groups) solvers.back()->add(group);
  }
  const double start = cpu_now_s();
  for (const auto& solver : solvers)
    if (solver->solve().size() != groups.size())
      throw std::runtime_error("WRONG RESULT: a solve left groups out");
  return (cpu_now_s() - start) / static_cast<double>(solvers.size());
}

// The slope of the least-squares line through the logarithms.
double slope_of(const std::vector<std::pair<double, double>>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(points.size());
  for (const auto& [links, time] : points) {
    x += std::log(links) / n;
    y += std::log(time) / n;
    xx += std::log(links) * std::log(links) / n;
    xy += std::log(links) * std::log(time) / n;
  }
  return (xy - x * y) / (xx - x * x);
}

Outcome grow() {
  std::vector<std::pair<double, double>> points;
  Outcome outcome;
  for (std::int64_t links = kFewest; links <= kMost; links *= 2) {
    points.emplace_back(static_cast<double>(links), solve_s(links));
    outcome.note +=
        std::to_string(links) + " links " + fixed(points.back().second * 1e6, 0) + " us, ";
  }
  const double slope = slope_of(points);
  outcome.note += "time ~ links^" + fixed(slope, 2);
  if (slope > kSteepest) outcome.note += ": STEEPER THAN LINEAR";
  return outcome;
}

}  // namespace

std::vector<Row> solver_rows() {
  return {{"solver", "one max-min solve over 2^8 .. 2^14 touched links", 0, 0, "", grow, nullptr}};
}

}  // namespace trainyard::bench
