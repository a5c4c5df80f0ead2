// Who is where: the GPUs in use, and the attempts that run or are suspended.
//
// The controller alone changes it; schedulers look.
#pragma once

#include "actors/job_step.hpp"
#include "schedulers/cluster.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string>

namespace trainyard {

// An attempt that has not ended.
struct Run {
  std::unique_ptr<JobStep> step;
  Seconds started;
  Seconds since;                              // it was started, suspended or resumed last
  Seconds limit;                              // when it is killed, if it runs until then
  Seconds grace_ends = forever();             // of a job that is releasing
  JobState stopped_as = JobState::Preempted;  // likewise
  std::string cause;                          // why it is
  JobId stopped_for;                          // and for whom
  bool releasing = false, suspended = false;

  Seconds deadline() const { return suspended ? forever() : std::min(limit, grace_ends); }
};

struct Occupancy {
  explicit Occupancy(const Platform& platform) : cluster(platform) {}

  Cluster cluster;  // suspended jobs hold nothing in it
  std::map<JobId, Run> runs;
};

}  // namespace trainyard
