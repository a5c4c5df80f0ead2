// Network: the only place where a transfer starts. One interface, several models behind it.
//
//   flow     coupled flow groups under max-min sharing (flow_network), the default
//   analytic latency and bandwidth per link class, no sharing (analytic_network): the ideal
//   simgrid  every transfer a communication under SimGrid's own solver (simgrid_network): the
//   reference
//
// A collective is prepared once for the GPUs it runs on and then started many times.
#pragma once

#include "collectives/calibration.hpp"
#include "collectives/registry.hpp"
#include "network/fluid.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace trainyard {

// One collective on one or several communicators that are alike and always start together (usually
// one).
struct CollectiveSpec {
  Collective collective;
  const AlgorithmEntry* algorithm = nullptr;
  std::vector<std::vector<GpuId>> members;   // per communicator, the GPU of each rank
  const Calibration* calibration = nullptr;  // none: links and latencies alone
};

// Its phases as flow groups, played one after the other.
using Lowered = std::vector<std::shared_ptr<const FlowGroup>>;
Lowered lower(const CollectiveSpec& spec, const Platform& platform, const Routing& routing);
// The same before calibration; adds the rounds of all phases to `rounds`.
std::vector<FlowGroup> lower_phases(const CollectiveSpec& spec, const Platform& platform,
                                    const Routing& routing, int& rounds);
Seconds alone_duration(const Lowered& groups, const Capacities& capacities);

enum class NetworkModel { Flow, Analytic, Simgrid };
const char* to_string(NetworkModel model);

class Network {
public:
  using Prepared = std::int32_t;

  virtual ~Network() = default;
  virtual Prepared prepare(std::shared_ptr<const CollectiveSpec> spec, Lowered groups) = 0;
  virtual void drop(Prepared collective) = 0;
  // The listener is told when the last rank has finished.
  virtual void start(Prepared collective, Domain domain, Listener* listener, std::int64_t tag) = 0;
  // Withdraws everything the domain has under way; its listeners are not told.
  virtual void withdraw_all(Domain domain) = 0;
  // How long something of the domain's has waited for a link that is down since the last call, and
  // the last such link.
  struct Stall {
    Seconds time;
    LinkId link;
  };
  virtual Stall take_stalled(Domain /*domain*/) { return {}; }
  // As if it had been played `times` more (time compression).
  virtual void credit(Prepared collective, double times) = 0;
  virtual std::vector<double> link_bytes()
      const = 0;                        // by LinkId: the integral of each link's rate
  virtual bool can_freeze() const = 0;  // whether time compression may stop its flows
};

}  // namespace trainyard
