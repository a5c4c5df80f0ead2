// When checkpoints are written and what they save: a pure rule, shared by simulated and by jumped
// steps.
//
// A checkpoint follows a step: every so many steps, or the first step that ends at least so long
// after the last one. Its write blocks the job. INVARIANT: a job that loses its ranks loses at most
// what it did since the last completed write, and the write in flight.
#pragma once

#include "base/quantity.hpp"
#include "config/section.hpp"

#include <cstdint>
#include <optional>

namespace trainyard {

struct CheckpointRule {
  std::int64_t every_steps = 0;  // 0: not by steps
  Seconds every;                 // 0: not by time
  Seconds write;                 // how long the job stands still
  bool on_preemption =
      false;  // a preempted job finishes its step and writes one, within the grace time

  bool enabled() const { return every_steps > 0 || every > Seconds(0); }
  // The rule as a number of steps at this mean step.
  std::int64_t period(Seconds mean_step) const;
  bool due(std::int64_t steps_since, Seconds since) const;
};

// `checkpoint: {every: 30 min | 100 steps, write: 20 s, on_preemption: yes}`; absent: never.
CheckpointRule read_checkpoint_rule(Section& section);

// Where a stretch of undisturbed training ends.
struct Stretch {
  std::int64_t steps = 0;        // done in it
  std::int64_t checkpoints = 0;  // written in it
  std::int64_t steps_since = 0;  // since the last checkpoint, at its end
  Seconds left;                  // time that was not used up; may be negative by part of a write
};

// Trains for `time` at `mean_step`, at most `most` steps, starting `steps_since` steps after a
// checkpoint.
Stretch train_for(Seconds time, Seconds mean_step, std::int64_t steps_since, std::int64_t most,
                  const CheckpointRule& rule);

// How long that many steps take, checkpoints included.
Seconds time_for(std::int64_t steps, Seconds mean_step, std::int64_t steps_since,
                 const CheckpointRule& rule);

}  // namespace trainyard
