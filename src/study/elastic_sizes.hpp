// Which numbers of GPUs an elastic job may have: its replicas change, what a replica is does not.
//
//   elastic: {min: 8, max: 64, step: 8}      of a job; step: by default the GPUs of a replica
//   elastic: {shrink: 4, grow: 4}            of a trace's jobs: by doubling, within these factors
//
// A replica is a tensor group of a flat plan, tensor x context x pipeline of a layout, one GPU of a
// job without a plan. A size that the plan's batch or memory rules out is left out.
#pragma once

#include "config/section.hpp"
#include "study/plan_table.hpp"

#include <optional>

namespace trainyard {

// Sets the job's sizes, if the section says `elastic`. Throws if its plan has one size only.
void read_elastic(Section& section, const PlanTable& plans, Job& job);

struct ElasticFactors {
  int shrink = 1, grow = 1;
  // Sets the sizes of a job whose plan allows more than one.
  void apply(const PlanTable& plans, Job& job) const;
};
std::optional<ElasticFactors> read_elastic_factors(Section& trace);

}  // namespace trainyard
