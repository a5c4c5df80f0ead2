// A calibration applied to what a collective was lowered to.
#pragma once

#include "collectives/calibration.hpp"
#include "network/flow_group.hpp"

#include <string>
#include <vector>

namespace trainyard {

// What the flow model alone knows of a collective, as a law needs it.
struct Uncalibrated {
  Seconds path;  // latency of the links, all rounds
  int rounds = 0;
  Seconds wire;  // the bytes at full rate, all links idle
};
struct LoweredContext {
  int rounds = 0;
  Capacities nominal;
};
Uncalibrated uncalibrated(const std::vector<FlowGroup>& groups, const LoweredContext& context);

// The law that holds for it: the calibration's, or the assumed one where it has none.
CollectiveLaw law_for(const Calibration& calibration, const Collective& collective,
                      const std::string& algorithm, const Uncalibrated& known);

// Alone, the groups now take what the law says: its latencies are paid by the first group, its
// efficiency caps the rate of each.
void calibrate(const Calibration& calibration, const Collective& collective,
               const std::string& algorithm, const LoweredContext& context,
               std::vector<FlowGroup>& groups);

}  // namespace trainyard
