// Experiments as values: platforms from a few properties, jobs that play one program.
#pragma once

#include "study/simulate.hpp"

#include <string>
#include <vector>

namespace trainyard::bench {

// `nodes` of one GPU on one switch: 50 GB/s, 1 us from end to end.
std::string single_switch_xml(int nodes);

// `leaves` leaves of 64 GPUs (8 nodes), oversubscribed 2:1: 32 spines, one cable to each leaf.
std::string fat_tree_2to1_xml(int leaves);

// 102,400 GPUs: 400 units of 32 nodes, 8 leaves a unit; every 4 units stand below 32 spines, all
// spines below 1,024 cores. Nothing is oversubscribed.
std::string rail_102400_xml();

// Nothing is slow, nothing fails, every step is simulated.
Experiment on_platform(Platform platform);

TrainingPlan one_collective(CollectiveKind kind, const std::string& algorithm, Bytes size);

// A job of the last plan, submitted at once.
void add_job(Experiment& experiment, int gpus, std::int64_t steps);

struct Played {
  EventLog log;
  double cpu_when_loaded_s;  // of this process, when the engine started to run
};
Played play(const Experiment& experiment);

// From its first start to its end.
Seconds duration_of(const EventLog& log, std::size_t attempt);

}  // namespace trainyard::bench
