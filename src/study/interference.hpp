// Who slows whom: the jobs of an experiment, placed side by side, and every pair of them played
// together.
//
// The jobs are placed in queue order on the empty cluster by the experiment's placement; those that
// do not fit any more are left out and named. Nothing else of the scheduler takes part.
#pragma once

#include "actors/attempt_factory.hpp"
#include "study/experiment.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace trainyard {

struct Interference {
  struct PlacedJob {
    std::string name;
    int gpus = 0;
    Seconds alone;     // a step without neighbours
    Seconds together;  // a step beside all the others
  };
  struct Effect {
    double slowdown = 0;  // step beside the rival / step alone - 1
    std::string link;     // where most of it is lost; "" if nothing is
  };
  std::vector<PlacedJob> jobs;
  std::vector<std::vector<Effect>> effects;  // [job][rival]
  std::vector<std::string> left_out;         // did not fit
};

Interference interference(const Experiment& experiment, const Routing& routing);

// job,rival,gpus,step_alone_s,step_beside_s,slowdown,link; the rival "*" is all the others.
void write_interference_csv(const Interference& result, std::ostream& out);

}  // namespace trainyard
