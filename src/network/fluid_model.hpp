// Fluid inside SimGrid's engine: an own resource model that steps when the engine steps.
//
// It holds no SimGrid Action: completions release what the listeners hold (semaphores of actors).
#pragma once

#include "network/fluid.hpp"

#include <simgrid/kernel/resource/Model.hpp>

namespace trainyard {

class FluidModel final : public simgrid::kernel::resource::Model {
public:
  explicit FluidModel(Fluid& fluid) : Model("trainyard"), fluid_(fluid) {}

  // The delta to the next event, or -1 for none.
  double next_occurring_event(double /*now*/) override {
    const Seconds next = fluid_.until_next();
    return next == forever() ? -1 : in_seconds(next);
  }

  void update_actions_state(double /*now*/, double delta) override {
    fluid_.advance(Seconds(delta));
  }

private:
  Fluid& fluid_;
};

}  // namespace trainyard
