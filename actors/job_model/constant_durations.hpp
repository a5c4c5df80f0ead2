// Collectives that always take the same time: their members are all of one class of ranks, so that
// they start together, and nobody can fill the links they cross.
#pragma once

#include "actors/job_model/rank_folding.hpp"

#include <optional>
#include <vector>

namespace trainyard {

// Seconds by class of groups, then distinct collective; nothing where it depends on others.
using ConstantDurations = std::vector<std::vector<std::optional<double>>>;

struct FoldedGroups {
  const JobProgram& job;
  const std::vector<GroupTraffic>& traffic;
  const RankFolding& folding;
};

// `network`: the model under which they are played.
ConstantDurations constant_durations(const FoldedGroups& groups, const Machine& machine,
                                     NetworkModel network);

}  // namespace trainyard
