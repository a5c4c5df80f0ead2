// Which jobs hold aggregation trees (SHARP) of the fabric's switches, and which have been refused.
//
// A job takes all the trees its step needs, one for each rail of each communicator, or none. It
// holds them until its attempt ends.
#pragma once

#include "actors/step_model.hpp"
#include "collectives/sharp_trees.hpp"

#include <map>
#include <string>

namespace trainyard {

class TreeGrants {
public:
  explicit TreeGrants(const Machine& machine);

  // Whether the job has what the model needs from now on. If not, why_none() says why.
  bool take(JobId job, const StepModel& model);
  void give_back(JobId job);

  // "" for a job that was not refused.
  const std::string& why_none(JobId job) const;

private:
  const Machine& machine_;
  SharpTrees trees_;
  std::map<JobId, std::string> refused_;
};

}  // namespace trainyard
