#include "report/vacancy.hpp"

#include "report/job_times.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

// What changes on one node at one time.
struct Change {
  Seconds at;
  NodeId node;
  int held = 0;  // GPUs taken (positive) or given back
  int down = 0;  // +1 when it goes down, -1 when it comes back
};

void add_attempt(const Platform& platform, const AttemptRecord& attempt,
                 std::vector<Change>& changes) {
  std::map<NodeId, int> held;
  for (const GpuId gpu : attempt.allocation.gpus) ++held[platform.gpus[gpu.index()].node];
  for (const auto& [node, gpus] : held) {
    changes.push_back({attempt.start, node, gpus});
    changes.push_back({attempt.end, node, -gpus});
  }
}

// While it stands still it holds nothing.
void add_suspension(const Platform& platform, const SuspensionRecord& pause,
                    const Allocation& allocation, std::vector<Change>& changes) {
  for (const GpuId gpu : allocation.gpus) {
    const NodeId node = platform.gpus[gpu.index()].node;
    changes.push_back({pause.start, node, -1});
    changes.push_back({pause.end, node, 1});
  }
}

std::vector<Change> changes_of(const Platform& platform, const EventLog& log) {
  std::vector<Change> changes;
  std::map<std::pair<JobId, int>, const Allocation*> allocations;
  for (const AttemptRecord& attempt : log.attempts) {
    add_attempt(platform, attempt, changes);
    if (!log.suspensions.empty()) allocations[{attempt.job, attempt.attempt}] = &attempt.allocation;
  }
  for (const SuspensionRecord& pause : log.suspensions) {
    const auto held = allocations.find({pause.job, pause.attempt});
    if (held != allocations.end()) add_suspension(platform, pause, *held->second, changes);
  }
  for (const OutageRecord& outage : log.outages) {
    changes.push_back({outage.down, outage.node, 0, 1});
    changes.push_back({outage.up, outage.node, 0, -1});
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.at < b.at; });
  return changes;
}

// The sums over nodes, kept up to date node by node.
class Counts {
public:
  explicit Counts(const Platform& platform) : platform_(platform), nodes_(platform.nodes.size()) {
    for (const Node& node : platform.nodes) add(node, 1);
  }

  void apply(const Change& change) {
    const Node& node = platform_.nodes[change.node.index()];
    add(node, -1);
    nodes_[change.node.index()].held += change.held;
    nodes_[change.node.index()].down += change.down;
    add(node, 1);
  }

  Vacancy at(Seconds time) const {
    Vacancy now{time, free_, whole_};
    for (const auto& [leaf, whole] : whole_by_leaf_) now.one_leaf = std::max(now.one_leaf, whole);
    return now;
  }

private:
  struct State {
    int held = 0, down = 0;
  };

  void add(const Node& node, int sign) {
    const State& state = nodes_[platform_.gpus[node.first_gpu.index()].node.index()];
    if (state.down > 0) return;
    free_ += sign * (node.gpus - state.held);
    if (state.held > 0) return;
    whole_ += sign * node.gpus;
    whole_by_leaf_[node.leaf] += sign * node.gpus;
  }

  const Platform& platform_;
  std::vector<State> nodes_;
  int free_ = 0, whole_ = 0;
  std::map<SwitchId, int> whole_by_leaf_;
};

}  // namespace

std::vector<Vacancy> vacancies(const Platform& platform, const EventLog& log) {
  Counts counts(platform);
  std::vector<Vacancy> history = {counts.at(Seconds(0))};
  const std::vector<Change> changes = changes_of(platform, log);
  for (auto change = changes.begin(); change != changes.end();) {
    const Seconds at = change->at;
    for (; change != changes.end() && change->at == at; ++change) counts.apply(*change);
    if (at > log.end) break;  // an outage that lasts longer than the run
    if (at == history.back().at) history.pop_back();
    history.push_back(counts.at(at));
  }
  return history;
}

double fragmentation(const std::vector<Vacancy>& history, Seconds end) {
  double broken = 0, free = 0;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const Seconds until = i + 1 < history.size() ? history[i + 1].at : end;
    const double span = std::max(0.0, in_seconds(until - history[i].at));
    broken += span * (history[i].free - history[i].whole_nodes);
    free += span * history[i].free;
  }
  return ratio(broken, free);
}

}  // namespace trainyard
