// How far a delay comes while collectives slow down what it computes.
#pragma once

#include "actors/step_model.hpp"

#include <vector>

namespace trainyard {

// The collectives beside a delay, and what they cost it.
struct Beside {
  const OverlapRule& rule;
  const std::vector<int>& collectives;
};

// `done` counts seconds of the parts at the GPU's own pace; `scale` stretches them all (a rank that
// computes unevenly).
double time_left(const std::vector<DelayPart>& parts, double scale, double done,
                 const Beside& beside);

// What is done when `elapsed` more seconds have passed beside the same collectives.
double done_after(const std::vector<DelayPart>& parts, double scale, double done, double elapsed,
                  const Beside& beside);

}  // namespace trainyard
