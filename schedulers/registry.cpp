#include "schedulers/registry.hpp"

namespace trainyard {

const std::vector<PolicyEntry>& policies() {
  static const std::vector<PolicyEntry> table = {
      {"fifo", make_fifo, false, "strict order, nobody overtakes"},
      {"backfill", make_backfill, false, "EASY: overtake if the head job is not delayed"},
      {"conservative", make_conservative, false,
       "conservative backfill: overtake if nobody ahead is delayed"},
      {"shortest_first", make_shortest_first, false,
       "the shortest time limit first, nobody overtakes a shorter job"},
      {"priority_preemption", make_priority_preemption, true,
       "strict priority: preempt lower priority to make room"},
      {"gang", make_gang, false,
       "time slices: who has waited longest takes the place of who has run"},
      {"elastic", make_elastic, false,
       "equipartition: elastic jobs grow into idle GPUs and shrink for jobs that wait"},
      {"process", make_process_policy, true,
       "a program of your own, asked over JSON lines (schedulers/process/README.md)"},
  };
  return table;
}

const std::vector<PlacementEntry>& placements() {
  static const std::vector<PlacementEntry> table = {
      {"first_fit", make_first_fit, "the lowest nodes with room, whatever leaf they are on"},
      {"pack_by_leaf", make_pack_by_leaf, "as few leaf switches as possible, then as few nodes"},
      {"spread", make_spread, "as many leaf switches as possible, then as many nodes"},
      {"network_aware", make_network_aware,
       "where the fabric model predicts the least work lost to contention"},
      {"random", make_random, "any free GPUs in any order, drawn per job from the seed"},
  };
  return table;
}

}  // namespace trainyard
