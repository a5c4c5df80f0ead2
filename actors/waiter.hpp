// One actor waiting for one completion: a semaphore that the models release.
#pragma once

#include "network/fluid.hpp"

#include <simgrid/s4u.hpp>

namespace trainyard {

class Waiter final : public Listener {
public:
  void completed(std::int64_t /*tag*/) override { signal(); }
  void signal() { done_->release(); }
  void wait() { done_->acquire(); }

private:
  simgrid::s4u::SemaphorePtr done_ = simgrid::s4u::Semaphore::create(0);
};

}  // namespace trainyard
