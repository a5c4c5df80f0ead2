// A training rank: pay the restart, then compute and reduce, step after step, and save a checkpoint
// now and then. Plays for every rank of its class, which are provably alike.
#pragma once

#include "actors/job_step.hpp"

namespace trainyard {

class Trainer {
public:
  Trainer(JobStep& step, int rank_class) : step_(step), class_(rank_class) {}

  void operator()() const {
    step_.pay_restart(class_);
    while (step_.has_steps_left(class_)) {
      step_.play_step(class_);
      step_.save_if_due(class_);
    }
    step_.leave(class_);
  }

private:
  JobStep& step_;
  int class_;
};

}  // namespace trainyard
