// A plan given as a recorded step: every rank does what the trace says it did.
#pragma once

#include "config/section.hpp"
#include "study/parallel_plan_reader.hpp"
#include "workload/steps/step_source.hpp"

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

// Computations take as long as they were recorded to take, communication as long as it takes here.
// Computations of which only the work is known take the time of the platform's GPU, if it says one.
struct RecordedPlan final : StepSource {
  std::string file;  // for errors
  std::shared_ptr<const JobProgram> job;

  int gpus_per_block(int gpus, int gpus_per_node) const override;

private:
  std::shared_ptr<const JobProgram> make_program(int gpus) const override;
};

// {recorded: a file, a folder, what the files' names begin with, or a list of files; format?: one
// of
//  `trainyard list`, by content if absent; groups?: file; ranks?: 8; alike?: off}. Finishes the
// section. A trace that the linter finds an error in is refused.
std::shared_ptr<RecordedPlan> read_recorded_plan(Section& section, const Platform& platform,
                                                 const PathResolver& resolve);

}  // namespace trainyard
