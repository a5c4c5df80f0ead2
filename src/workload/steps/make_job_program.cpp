#include "workload/steps/make_job_program.hpp"

#include "workload/steps/groups/slots.hpp"
#include "workload/steps/writers/stage_writer.hpp"

#include <algorithm>

namespace trainyard {

namespace {

// By slot, whether ranks of the stage are in a group: all are, or none.
std::vector<bool> groups_of_stage(const JobProgram& job, int stage) {
  const auto rank = std::find_if(job.ranks.begin(), job.ranks.end(),
                                 [&](const RankRole& role) { return role.program == stage; });
  std::vector<bool> result;
  for (const int group : rank->groups) result.push_back(group >= 0);
  return result;
}

}  // namespace

JobProgram make_job_program(const ModelSpec& model, const Layout& layout, int gpus,
                            const KernelTimes& times) {
  const Widths widths = divide(model, layout, gpus);
  const BlockSizes sizes{model, layout, widths, share_of(model, layout), times};
  const ModelBlocks blocks = model_blocks(sizes);
  JobProgram job;
  const Slots slots = add_groups(job, model, layout, widths);
  const StepPlan plan{sizes, blocks, slots};
  for (int stage = 0; stage < widths.pipeline; ++stage)
    job.programs.push_back(stage_program(plan, stage, groups_of_stage(job, stage)));
  return job;
}

}  // namespace trainyard
