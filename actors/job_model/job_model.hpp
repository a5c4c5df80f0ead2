// From a JobProgram and the GPUs it was given to what its ranks will play: ranks that are alike
// folded into classes, their process groups into channels.
//
// A collective whose members are all of one class and whose links nobody can fill takes a constant
// time: it becomes part of the delays around it, and its bytes are credited per step.
//
// INVARIANT: playing the folded model gives the same step times and link bytes as the unfolded one.
#pragma once

#include "actors/job_model/rank_folding.hpp"
#include "actors/job_model/step_graph.hpp"
#include "actors/step_model.hpp"

#include <string>

namespace trainyard {

struct JobModelOptions {
  FoldingRules folding;
  Merging merging = Merging::On;
  std::string no_trees = {};  // why the fabric's switches may not add up for the job
};

// Who is alike, which two network models may share.
class FoldedJob {
public:
  // `machine`: its parts and routes; whatever it points to must outlive the folded job.
  struct Of {
    std::shared_ptr<const JobProgram> job;
    Allocation allocation;
    JobModelOptions options;
    Machine machine;
  };
  // Throws SimulationError where members of a process group list different collectives.
  explicit FoldedJob(Of what);

  // Whether these are the same ranks, on GPUs, links and routes that do the same.
  bool is(const Of& other) const;
  StepModel model(NetworkModel network) const;

private:
  Of what_;
  std::vector<double> slowdown_;  // by rank
  std::vector<GroupTraffic> traffic_;
  RankFolding folding_;
  std::vector<std::string> notes_;
};

// The model of one machine.
StepModel make_job_model(const JobProgram& job, const Allocation& allocation,
                         const JobModelOptions& options, const Machine& machine);

}  // namespace trainyard
