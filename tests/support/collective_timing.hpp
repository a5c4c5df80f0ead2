// Collectives played in one Simulation, to be timed: a few jobs, each a collective played so many
// times back to back.
//
// There is one Simulation a process. in_child() lets one TEST compare several: it forks before any
// is made, and only numbers come back.
#pragma once

#include "collectives/collective.hpp"
#include "network/routing.hpp"
#include "platforms/platform.hpp"
#include "sim/simulation.hpp"

#include <functional>
#include <string>
#include <vector>

namespace trainyard::testing {

struct CollectiveJob {
  Collective collective;
  std::string algorithm;
  std::vector<GpuId> gpus;  // of each rank
  Seconds start;
  int repetitions = 1;
  Seconds withdrawn_at = forever();  // its end stays 0 then
};

struct Fabric {
  Platform platform = {};
  RoutingSpec routing = {};
  std::string plain_file = {};  // instead: SimGrid loads it and keeps its routes
};

struct Timed {
  std::vector<double> ends;        // seconds, by job
  std::vector<double> link_bytes;  // by LinkId

  double last() const;
};

// GPUs first, first + stride, ...
std::vector<GpuId> gpus(int count, int first = 0, int stride = 1);

// On the first ranks of the fabric, from the start, once.
CollectiveJob job(CollectiveKind kind, const std::string& algorithm, int ranks, Bytes size);
CollectiveJob send(GpuId from, GpuId to, Bytes size, Seconds start = Seconds(0));

// In this process, which must not have had a Simulation.
Timed time_collectives(const Fabric& fabric, NetworkModel model,
                       const std::vector<CollectiveJob>& jobs);
// In a process of its own.
Timed time_in_child(const Fabric& fabric, NetworkModel model,
                    const std::vector<CollectiveJob>& jobs);

// What the function returns in a forked child; throws if the child fails.
std::vector<double> in_child(const std::function<std::vector<double>()>& work);

}  // namespace trainyard::testing
