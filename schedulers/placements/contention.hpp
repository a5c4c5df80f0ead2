// How much jobs are predicted to slow each other down on the links they share, in closed form.
//
// A job keeps a link busy for b = bytes / bandwidth of a step of length s, the fraction u = b / s
// of the time. Whenever its bytes meet a rival's, which on the mean they do for the rival's
// fraction of the time, both share the link and it takes so much longer: the step becomes
//
//     s + max over links of b x (sum of the rivals' u there)
//
// because the steps of a job wait for its slowest link. It is an estimate for choosing among
// places, not a simulation: phases are taken to be independent.
#pragma once

#include "actors/job_traffic.hpp"
#include "network/flow_group.hpp"

#include <map>
#include <vector>

namespace trainyard {

// The fraction of time for which jobs keep each link busy, summed.
using Busy = std::map<LinkId, double>;
void add_busy(const JobTraffic& job, const Capacities& capacities, Busy& busy);

// What the rivals add to a step.
Seconds predicted_delay(const JobTraffic& job, const Busy& rivals, const Capacities& capacities);

// A job that runs.
struct Neighbour {
  int gpus = 0;
  JobTraffic traffic;
};

// GPUs' worth of work that is lost if the job runs beside these neighbours: its own, by which its
// step is longer than `best_step`, and what it takes from each neighbour.
struct Newcomer {
  int gpus = 0;
  const JobTraffic& traffic;
  Seconds best_step;  // the shortest that any place offers it alone
};
double predicted_loss(const Newcomer& newcomer, const std::vector<Neighbour>& neighbours,
                      const Capacities& capacities);

}  // namespace trainyard
