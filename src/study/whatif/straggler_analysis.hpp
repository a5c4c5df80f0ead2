// What stragglers cost a recorded job, and where they are, by replay: ByteDance's S, M_W and M_S.
//
// The job is replayed with its own durations (original) and with every duration made alike within
// its type (ideal: the mean of computations, the median of transfers). S is original / ideal. The
// slowdown of a part is that of a replay in which only the part keeps its own durations. M is the
// share of the slowdown that goes away when a part is made ideal and the rest stays: M_W of the
// worst 3 % of the ranks (by the smaller slowdown of their data rank and their stage), M_S of the
// last stage. M may exceed 1 and may be negative.
#pragma once

#include "base/quantity.hpp"
#include "workload/importers/straggler/timeline.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct StragglerPart {
  std::string name;  // "data rank 1", "stage 3", "forward-compute"
  double slowdown = 1;
};

struct StragglerWorker {
  int rank = 0, dp_rank = 0, stage = 0;
  double slowdown = 1;  // the smaller of its data rank's and its stage's
};

struct StragglerAnalysis {
  Seconds original, ideal;                                     // mean step times of the replays
  double slowdown = 1;                                         // S
  double worst_ranks = 0;                                      // M_W
  double last_stage = 0;                                       // M_S
  std::vector<StragglerPart> by_data_rank, by_stage, by_type;  // in their order; of transfers
                                                               // between stages one a direction
  std::vector<StragglerWorker> workers;                        // worst first
  std::size_t worst = 1;                                       // how many of them count for M_W
  std::vector<double> step_slowdown;                           // by step of the timeline
};

// `file` is named by errors.
StragglerAnalysis analyse_stragglers(const StragglerTimeline& timeline, const std::string& file);

}  // namespace trainyard
