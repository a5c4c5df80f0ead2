#include "schedulers/slurm/golden/compare.hpp"

#include "base/text.hpp"
#include "schedulers/slurm/golden/gpu_list.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace trainyard::slurm {

namespace {

// What two runs of the real controller differ by.
constexpr double kJitter = 3, kFullPass = 60;
constexpr double kPriority = 1;

using Key = std::pair<std::string, int>;  // id and restarts

std::string name_of(const Key& key) {
  return key.second == 0 ? key.first : key.first + " (restart " + std::to_string(key.second) + ")";
}

class Comparing {
public:
  Comparing(const GoldenScenario& scenario, const SlurmState& state, const ReplayResult& result)
      : scenario_(scenario), state_(state) {
    for (const Segment& segment : result.segments)
      got_[{state.job(segment.job).id, segment.restarts}] = &segment;
    for (const Segment& segment : result.segments)
      order_.push_back({state.job(segment.job).id, segment.restarts});
    for (const std::string& action : result.unknown_events)
      differ("'" + action + "' is not understood");
  }

  Comparison run() {
    for (const GoldenSegment& expected : scenario_.segments) one(expected);
    for (const auto& [key, segment] : got_)
      if (expected_.count(key) == 0)
        differ(name_of(key) + " ran at " + fixed(segment->start, 1) + ", which it did not");
    compare_order();
    comparison_.runs = static_cast<int>(scenario_.segments.size());
    return std::move(comparison_);
  }

private:
  void differ(const std::string& what) { comparison_.differences.push_back(what); }

  void one(const GoldenSegment& expected) {
    const Key key{expected.id, expected.restarts};
    expected_[key] = &expected;
    const auto found = got_.find(key);
    if (expected.start < 0) {
      if (found != got_.end()) differ(name_of(key) + " ran, which it never did");
      return;
    }
    if (found == got_.end()) return differ(name_of(key) + " did not run");
    const Segment& got = *found->second;
    const std::string nodes = node_text(got.allocation.nodes, scenario_.site);
    if (nodes != join(expected.nodes, ","))
      differ(name_of(key) + " ran on " + nodes + ", not on " + join(expected.nodes, ","));
    const double tolerance = got.by_full_pass ? kFullPass : kJitter;
    time(key, "started", got.start, expected.start, tolerance);
    if (expected.end >= 0) time(key, "ended", got.end, expected.end, tolerance);
    if (got.end_state != expected.end_state)
      differ(name_of(key) + " ended " + got.end_state + ", not " + expected.end_state);
    if (std::abs(got.priority - expected.priority) > kPriority)
      differ(name_of(key) + " had priority " + fixed(got.priority, 0) + ", not " +
             fixed(expected.priority, 0));
  }

  // The file has whole seconds, rounded down.
  void time(const Key& key, const std::string& what, double got, double expected,
            double tolerance) {
    if (std::abs(std::floor(got) - expected) > tolerance)
      differ(name_of(key) + " " + what + " at " + fixed(got, 1) + ", not at " + fixed(expected, 0));
  }

  // The exact order, where the decisions are recorded.
  void compare_order() {
    std::map<std::string, int> runs;
    std::vector<std::string> expected, got;
    for (const GoldenDecision& decision : scenario_.decisions)
      expected.push_back(name_of({decision.id, runs[decision.id]++}));
    for (const Key& key : order_) got.push_back(name_of(key));
    if (!expected.empty() && expected != got)
      differ("the order of starts is " + join(got) + ", not " + join(expected));
  }

  const GoldenScenario& scenario_;
  const SlurmState& state_;
  std::map<Key, const Segment*> got_;
  std::map<Key, const GoldenSegment*> expected_;
  std::vector<Key> order_;
  Comparison comparison_;
};

}  // namespace

Comparison compare(const GoldenScenario& scenario, const SlurmState& state,
                   const ReplayResult& result) {
  return Comparing(scenario, state, result).run();
}

GoldenReplay replay_scenario(const GoldenScenario& scenario) {
  WorldDelays delays;
  delays.epoch = scenario.epoch;
  Replay replay(scenario.site, scenario.jobs, scenario.events, delays);
  const ReplayResult result = replay.run(kGoldenHorizon);
  return {compare(scenario, replay.state(), result),
          side_by_side(scenario, replay.state(), result)};
}

namespace {

std::string cell(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ') + "  ";
}

std::string run_text(double start, double end, const std::string& end_state) {
  return fixed(std::floor(start), 0) + "-" + fixed(std::floor(end), 0) + " " + end_state;
}

std::string why(const Segment& segment, const SlurmState& state) {
  std::string text = segment.by_backfill ? "backfill" : segment.by_full_pass ? "full pass" : "main";
  if (!segment.waited_for.empty()) text += ", had waited: " + segment.waited_for;
  if (segment.preempted_for >= 0) text += "; preempted for " + state.job(segment.preempted_for).id;
  return text;
}

}  // namespace

std::string side_by_side(const GoldenScenario& scenario, const SlurmState& state,
                         const ReplayResult& result) {
  std::map<Key, const Segment*> got;
  for (const Segment& segment : result.segments)
    got[{state.job(segment.job).id, segment.restarts}] = &segment;
  std::ostringstream text;
  text << "  " << cell("run", 14) << cell("expected", 36) << cell("got", 36) << "started by\n";
  for (const GoldenSegment& expected : scenario.segments) {
    const Key key{expected.id, expected.restarts};
    text << "  " << cell(name_of(key), 14)
         << cell(run_text(expected.start, expected.end, expected.end_state) + " " +
                     join(expected.nodes, ","),
                 36);
    if (const auto found = got.find(key); found != got.end()) {
      const Segment& segment = *found->second;
      text << cell(run_text(segment.start, segment.end, segment.end_state) + " " +
                       node_text(segment.allocation.nodes, scenario.site),
                   36)
           << why(segment, state);
    }
    text << '\n';
  }
  return text.str();
}

}  // namespace trainyard::slurm
