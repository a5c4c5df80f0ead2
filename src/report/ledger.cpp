// The ledger: every GPU-second of the run in exactly one class.
//
// An attempt's wall time is restart + checkpoint + lost + work + suspended. Out of `work` come
// slow_gpu, then slow_link, failed_link, variation, then contention, each clamped to what is left:
// the causes were measured one at a time, so where they overlap the earlier one keeps the seconds.
// The rest of `work` is productive.
//
// A GPU whose node is down is `down`, unless an attempt still holds it (ranks that wait for a
// watchdog): then the attempt accounts for it. A GPU is `suspended` while only suspended attempts
// hold it; where another runs in their place, that one accounts for it. `idle` is what nobody held
// and what was not down. It is a remainder, so a negative idle says that the log allocated a GPU
// twice.
#include "report/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace trainyard {

namespace {

struct Interval {
  double begin = 0, end = 0;
};

double overlap(const Interval& a, const Interval& b) {
  return std::max(0.0, std::min(a.end, b.end) - std::max(a.begin, b.begin));
}

// Per node, when it was down within the run: sorted and disjoint, also where outages overlap.
std::vector<std::vector<Interval>> outages_by_node(const Platform& platform, const EventLog& log) {
  std::vector<OutageRecord> outages = log.outages;
  std::stable_sort(outages.begin(), outages.end(),
                   [](const auto& a, const auto& b) { return a.down < b.down; });
  std::vector<std::vector<Interval>> by_node(platform.nodes.size());
  const double end = in_seconds(log.end);
  for (const OutageRecord& outage : outages) {
    const Interval down{std::clamp(in_seconds(outage.down), 0.0, end),
                        std::clamp(in_seconds(outage.up), 0.0, end)};
    std::vector<Interval>& merged = by_node[outage.node.index()];
    if (!merged.empty() && down.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, down.end);
    else if (down.begin < down.end)
      merged.push_back(down);
  }
  return by_node;
}

// GPU-seconds of nodes that were down, minus those that an attempt still held.
double down_gpu_seconds(const Platform& platform, const EventLog& log) {
  if (log.outages.empty()) return 0;
  const auto by_node = outages_by_node(platform, log);
  double down = 0;
  for (std::size_t node = 0; node < by_node.size(); ++node)
    for (const Interval& outage : by_node[node])
      down += platform.nodes[node].gpus * (outage.end - outage.begin);
  for (const AttemptRecord& attempt : log.attempts)
    for (const GpuId gpu : attempt.allocation.gpus)
      for (const Interval& outage : by_node[platform.gpus[gpu.index()].node.index()])
        down -= overlap(outage, {in_seconds(attempt.start), in_seconds(attempt.end)});
  return std::max(0.0, down);
}

// GPU-seconds of the attempts: all classes but idle and down.
struct Held {
  double productive = 0, slow_gpu = 0, slow_link = 0, failed_link = 0, variation = 0;
  double contention = 0;
  double checkpoint = 0, restart = 0, lost = 0;
  double allocated = 0;  // GPUs x (end - start)
};

// Takes up to `wanted` from `left`, never less than nothing.
double carve(double wanted, double& left) {
  const double taken = std::clamp(wanted, 0.0, std::max(0.0, left));
  left -= taken;
  return taken;
}

void add_attempt(const AttemptRecord& attempt, Held& held) {
  const auto gpus = static_cast<double>(attempt.allocation.gpus.size());
  double work = in_seconds(attempt.work);
  held.slow_gpu += gpus * carve(in_seconds(attempt.slow_gpu), work);
  held.slow_link += gpus * carve(in_seconds(attempt.slow_link), work);
  held.failed_link += gpus * carve(in_seconds(attempt.failed_link), work);
  held.variation += gpus * carve(in_seconds(attempt.variation), work);
  held.contention += gpus * carve(in_seconds(attempt.contention), work);
  held.productive += gpus * work;
  held.checkpoint += gpus * in_seconds(attempt.checkpoint);
  held.restart += gpus * in_seconds(attempt.restart);
  held.lost += gpus * in_seconds(attempt.lost);
  held.allocated += gpus * in_seconds(attempt.end - attempt.start - attempt.suspended);
}

// What becomes of the attempts on one GPU at a time.
struct Change {
  double at = 0;
  int running = 0, suspended = 0;
};

double only_suspended(std::vector<Change>& changes) {
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.at < b.at; });
  double time = 0, since = 0;
  int running = 0, suspended = 0;
  for (const Change& change : changes) {
    if (suspended > 0 && running == 0) time += change.at - since;
    since = change.at;
    running += change.running;
    suspended += change.suspended;
  }
  return time;
}

double suspended_gpu_seconds(const EventLog& log) {
  std::map<GpuId, std::vector<Change>> on_gpu;
  std::map<std::pair<JobId, int>, const AttemptRecord*> attempts;
  for (const AttemptRecord& attempt : log.attempts)
    attempts[{attempt.job, attempt.attempt}] = &attempt;
  for (const SuspensionRecord& stop : log.suspensions)
    for (const GpuId gpu : attempts.at({stop.job, stop.attempt})->allocation.gpus)
      for (const int sign : {1, -1})
        on_gpu[gpu].push_back({in_seconds(sign > 0 ? stop.start : stop.end), -sign, sign});
  if (on_gpu.empty()) return 0;
  for (const AttemptRecord& attempt : log.attempts)
    for (const GpuId gpu : attempt.allocation.gpus)
      if (const auto changes = on_gpu.find(gpu); changes != on_gpu.end()) {
        changes->second.push_back({in_seconds(attempt.start), 1, 0});
        changes->second.push_back({in_seconds(attempt.end), -1, 0});
      }
  double time = 0;
  for (auto& [gpu, changes] : on_gpu) time += only_suspended(changes);
  return time;
}

}  // namespace

std::vector<LedgerClass> ledger(const Platform& platform, const EventLog& log) {
  Held held;
  for (const AttemptRecord& attempt : log.attempts) add_attempt(attempt, held);
  const double all = platform.gpu_count() * in_seconds(log.end);
  const double down = down_gpu_seconds(platform, log);
  const double suspended = suspended_gpu_seconds(log);
  double idle = all - held.allocated - suspended - down;
  if (std::abs(idle) <= 1e-12 * all) idle = 0;  // a full machine: rounding, not idleness
  return {{"productive", held.productive},
          {"slow_gpu", held.slow_gpu},
          {"slow_link", held.slow_link},
          {"failed_link", held.failed_link},
          {"variation", held.variation},
          {"contention", held.contention},
          {"checkpoint", held.checkpoint},
          {"restart", held.restart},
          {"lost", held.lost},
          {"suspended", suspended},
          {"idle", idle},
          {"down", down}};
}

double gpu_seconds_of(const std::vector<LedgerClass>& classes, const std::string& name) {
  for (const LedgerClass& one : classes)
    if (one.name == name) return one.gpu_seconds;
  return 0;
}

}  // namespace trainyard
