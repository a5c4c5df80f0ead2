#include "schedulers/outlook.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace trainyard {

namespace {

constexpr Seconds kOverdueEndsIn = seconds(1);

using Ending = std::pair<Seconds, const Allocation*>;

Ending ending_of(const RunningJob& running, Seconds now) {
  const Seconds limit = running.started + running.job->limit;
  const bool overdue = running.releasing || limit <= now;
  return {overdue ? now + kOverdueEndsIn : limit, running.allocation};
}

std::vector<Ending> endings_of(const ClusterView& view, const std::vector<RunningJob>& started) {
  std::vector<Ending> endings;
  endings.reserve(view.running.size() + started.size());
  for (const RunningJob& running : view.running) endings.push_back(ending_of(running, view.now));
  for (const RunningJob& running : started) endings.push_back(ending_of(running, view.now));
  std::stable_sort(endings.begin(), endings.end(),
                   [](const Ending& a, const Ending& b) { return a.first < b.first; });
  return endings;
}

}  // namespace

Outlook::Outlook(const ClusterView& view, const std::vector<RunningJob>& started,
                 const std::vector<int>& free_per_node, Detail detail)
    : detail_(detail) {
  spans_.push_back({view.now, std::accumulate(free_per_node.begin(), free_per_node.end(), 0), {}});
  if (detail == Detail::PerNode) spans_.back().per_node = free_per_node;
  for (const auto& [at, allocation] : endings_of(view, started)) {
    if (at == forever()) break;
    if (at > spans_.back().begin) {
      spans_.push_back(spans_.back());
      spans_.back().begin = at;
    }
    give(*allocation, view, spans_.back());
  }
}

void Outlook::give(const Allocation& allocation, const ClusterView& view, Span& span) const {
  for (const GpuId gpu : allocation.gpus) {
    const std::size_t node = view.platform->gpus[gpu.index()].node.index();
    if ((*view.node_up)[node] == 0) continue;
    ++span.free;
    if (detail_ == Detail::PerNode) ++span.per_node[node];
  }
}

bool Outlook::fits(const Job& job, const Span& span) {
  if (span.free < job.gpus) return false;
  if (job.gpus_per_block == 1) return true;
  return blocks_available(span.per_node, job.gpus_per_block) * job.gpus_per_block >= job.gpus;
}

Seconds Outlook::earliest(const Job& job) const {
  std::size_t first = 0;
  for (std::size_t span = 0; span < spans_.size(); ++span) {
    if (span > first && spans_[span].begin >= spans_[first].begin + job.limit) break;
    if (!fits(job, spans_[span])) first = span + 1;
  }
  return first < spans_.size() ? spans_[first].begin : forever();
}

std::size_t Outlook::split(Seconds at) {
  const auto after =
      std::upper_bound(spans_.begin(), spans_.end(), at,
                       [](Seconds time, const Span& span) { return time < span.begin; });
  const auto index = static_cast<std::size_t>(after - spans_.begin());
  if (spans_[index - 1].begin == at) return index - 1;
  Span later = spans_[index - 1];
  later.begin = at;
  spans_.insert(after, std::move(later));
  return index;
}

// From the nodes with the least room first: what is left can then hold the largest blocks.
void Outlook::take(const Job& job, Span& span) {
  span.free -= job.gpus;
  if (span.per_node.empty()) return;
  std::vector<int> nodes(span.per_node.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  const auto room = [&](int node) -> int& { return span.per_node[static_cast<std::size_t>(node)]; };
  std::stable_sort(nodes.begin(), nodes.end(), [&](int a, int b) { return room(a) < room(b); });
  int missing = job.gpus;
  for (auto node = nodes.begin(); missing > 0 && node != nodes.end(); ++node) {
    const int whole_blocks = room(*node) / job.gpus_per_block * job.gpus_per_block;
    const int taken = std::min(missing, whole_blocks);
    room(*node) -= taken;
    missing -= taken;
  }
}

bool Outlook::promise(const Job& job, Seconds start) {
  const std::size_t first = split(start);
  const std::size_t last = job.limit < forever() ? split(start + job.limit) : spans_.size();
  const auto begin = spans_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = spans_.begin() + static_cast<std::ptrdiff_t>(last);
  if (!std::all_of(begin, end, [&](const Span& span) { return fits(job, span); })) return false;
  std::for_each(begin, end, [&](Span& span) { take(job, span); });
  return true;
}

}  // namespace trainyard
