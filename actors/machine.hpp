// The machine as it is in one run: the platform, its routes, and the parts of it that are slow.
#pragma once

#include "collectives/calibration.hpp"
#include "network/choice/algorithm_choice.hpp"
#include "network/network.hpp"
#include "network/surviving_routing.hpp"
#include "platforms/platform.hpp"

#include <vector>

namespace trainyard {

struct Machine {
  const Platform* platform = nullptr;
  NetworkModel model = NetworkModel::Flow;
  const Routing* routing = nullptr;
  const SurvivingRouting* surviving = nullptr;  // the same, if links may fail
  Capacities capacities;                        // by LinkId, after slow-link factors
  const Calibration* calibration = nullptr;     // of collectives; none: links and latencies alone
  AlgorithmRules algorithms;                    // who chooses them
  std::vector<double> gpu_slowdown;             // by GpuId: 1.07 computes 7 % longer
};

}  // namespace trainyard
