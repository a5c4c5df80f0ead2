#include "workload/importers/straggler/timeline_shape.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace trainyard {

namespace {

constexpr int kThreadsOfARank = 5;  // compute, pp-comm, tp-comm, dp-comm, misc

using RankByPlace = std::map<std::pair<int, int>, int>;  // (data rank, stage)

auto key(const TimelineOperation& o) {
  return std::make_tuple(o.step, o.dp_rank, o.stage, static_cast<int>(o.type), o.sequence);
}

std::string place_of(int dp_rank, int stage) {
  return "data rank " + std::to_string(dp_rank) + ", stage " + std::to_string(stage);
}

RankByPlace find_ranks(const std::vector<TimelineEvent>& operations, const std::string& file) {
  RankByPlace ranks;
  for (const TimelineEvent& recorded : operations) {
    const TimelineOperation& o = recorded.operation;
    const int rank = recorded.thread.thread / kThreadsOfARank;
    const auto [where, fresh] = ranks.insert({{o.dp_rank, o.stage}, rank});
    if (!fresh && where->second != rank)
      throw InputError({file}, "event " + std::to_string(recorded.event),
                       "a second rank (" + std::to_string(rank) + " beside " +
                           std::to_string(where->second) + ") of " + place_of(o.dp_rank, o.stage) +
                           "; one is traced of each");
  }
  return ranks;
}

// Data ranks and stages count from 0, and all of them are there.
void check_complete(const RankByPlace& ranks, const StragglerTimeline& shape,
                    const std::string& file) {
  auto next = ranks.begin();
  for (int dp = 0; dp < shape.dp_ranks; ++dp)
    for (int stage = 0; stage < shape.stages; ++stage, ++next)
      if (next == ranks.end() || next->first != std::make_pair(dp, stage))
        throw InputError({file}, "", "no operation of " + place_of(dp, stage));
}

// Every step of every data rank holds what the first step of data rank 0 holds.
void check_alike(const StragglerTimeline& timeline, const std::string& file) {
  const std::vector<TimelineOperation>& all = timeline.operations;
  const std::size_t lots = timeline.steps.size() * static_cast<std::size_t>(timeline.dp_ranks);
  const std::size_t each = std::max<std::size_t>(1, all.size() / lots);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const TimelineOperation& model = all[i % each];
    const TimelineOperation& first = all[i / each * each];
    const bool alike = all[i].stage == model.stage && all[i].type == model.type &&
                       all[i].sequence == model.sequence;
    if (i / each < lots && alike && all[i].step == first.step && all[i].dp_rank == first.dp_rank)
      continue;
    throw InputError({file}, "step " + std::to_string(all[i].step),
                     std::string(to_string(all[i].type)) + " " + std::to_string(all[i].sequence) +
                         " of " + place_of(all[i].dp_rank, all[i].stage) +
                         " has no counterpart in the first step of data rank 0, or one is missing "
                         "before it");
  }
}

}  // namespace

StragglerTimeline in_shape(const std::vector<TimelineEvent>& operations, const std::string& file) {
  StragglerTimeline result;
  std::set<int> steps;
  for (const TimelineEvent& recorded : operations) {
    const TimelineOperation& o = recorded.operation;
    steps.insert(o.step);
    result.dp_ranks = std::max(result.dp_ranks, o.dp_rank + 1);
    result.stages = std::max(result.stages, o.stage + 1);
    result.operations.push_back(o);
  }
  result.steps.assign(steps.begin(), steps.end());
  const RankByPlace ranks = find_ranks(operations, file);
  check_complete(ranks, result, file);
  result.ranks.resize(static_cast<std::size_t>(result.dp_ranks));
  for (const auto& [place, rank] : ranks)
    result.ranks[static_cast<std::size_t>(place.first)].push_back(rank);
  std::sort(result.operations.begin(), result.operations.end(),
            [](const auto& a, const auto& b) { return key(a) < key(b); });
  check_alike(result, file);
  return result;
}

}  // namespace trainyard
