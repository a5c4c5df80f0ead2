// Which ranks of a job are provably alike, and with them their process groups.
//
// Ranks, process groups and the links on which the job could slow itself down are the vertices of
// one graph, coloured at first by what each is (program and speed; collectives and their durations;
// capacity) and then again and again by the colours around it, until no class splits any more. In
// such an equitable partition members of a class see equal neighbours, so that in every step they
// do the same at the same time: max-min shares are unique, and a symmetric start stays symmetric.
//
// INVARIANT: ranks of one class share program and speed; groups of one class have equally many
// members of each class of ranks.
#pragma once

#include "actors/job_model/process_traffic.hpp"
#include "actors/machine.hpp"

#include <vector>

namespace trainyard {

struct RankFolding {
  std::vector<int> class_of_rank;   // classes are numbered by their lowest rank
  std::vector<int> class_of_group;  // likewise
  int rank_classes = 0, group_classes = 0;
  // By LinkId: whether somebody could slow the job's collectives down there: itself, or a
  // neighbour.
  std::vector<bool> may_be_filled;
};

struct FoldingRules {
  bool fold = true;
  // No other job can come near: links of the fabric are alike wherever they are. Otherwise only
  // what happens inside nodes is folded, because a neighbour may disturb one rank and not another.
  bool alone = false;
};

// `slowdown`: by rank.
RankFolding fold_ranks(const JobProgram& job, const std::vector<double>& slowdown,
                       const std::vector<GroupTraffic>& traffic, const Machine& machine,
                       const FoldingRules& rules);

}  // namespace trainyard
