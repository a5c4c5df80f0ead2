// From a RecordedStep to a JobProgram: ranks that do the same share a Program, groups that no rank
// is in twice share a slot.
//
// A group that only some ranks recorded is kept as it is: the linter says what is missing.
#pragma once

#include "workload/importers/recorded/recorded_step.hpp"

namespace trainyard {

JobProgram assemble(const RecordedStep& step);

// The reader's own findings, then what the linter finds in the job, told by places in the files,
// then what only the record shows: kernels of one stream that overlap in time.
std::vector<LintFinding> lint_recorded(const RecordedStep& step, const JobProgram& job);

// The job, or an InputError with the first finding that is an error.
JobProgram sound_job(const RecordedStep& step);

// Messages of one pair that both ends list in one order are one group, whatever their tags: what is
// left by tag is only what must be.
void join_tags(RecordedStep& step);

// Ranks without a file do as the first one with a file does; a note says so. InputError if there is
// none to fill, or a group is not the whole job: then ranks differ, and who does what is unknown.
void fill_alike(RecordedStep& step);

}  // namespace trainyard
