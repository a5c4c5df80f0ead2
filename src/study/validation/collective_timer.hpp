// What collectives cost on some GPUs of a platform, at any size, without an engine.
//
// A collective is lowered once per algorithm and its bytes scaled by size, which is exact where the
// algorithm's rounds and the shares of its phases do not depend on it (but for the rounding of
// chunks to whole bytes); where they do, it is lowered anew.
#pragma once

#include "network/calibrated.hpp"
#include "network/network.hpp"

#include <map>
#include <string>
#include <vector>

namespace trainyard {

struct CollectiveCost {
  Uncalibrated known;
  Seconds analytic;                    // latencies and ports alone, as the `analytic` model has it
  double sent_by_a_rank = 0;           // bytes, of the rank that sends most
  LinkClass bound = LinkClass::Plain;  // of the link that holds it back
};

class CollectiveTimer {
public:
  // Platform and routing must outlive it. `gpus` by rank.
  CollectiveTimer(const Platform& platform, const Routing& routing, std::vector<GpuId> gpus);

  Collective collective(CollectiveKind kind, Bytes size) const;
  CollectiveCost cost(CollectiveKind kind, const AlgorithmEntry& algorithm, Bytes size);
  const Platform& platform() const { return platform_; }
  const std::vector<GpuId>& gpus() const { return gpus_; }
  int nodes() const { return nodes_; }  // as NCCL counts: NVLink domains
  int ranks() const { return static_cast<int>(gpus_.size()); }

private:
  struct Reference {
    std::vector<int> rounds;     // by phase
    std::vector<double> shares;  // by phase of transfers, of the buffer
    std::vector<FlowGroup> groups;
    double sent = 0;
    Bytes size;
  };
  Reference lowered(const Collective& collective, const AlgorithmEntry& algorithm) const;
  CollectiveCost cost_of(const Reference& reference, double scale) const;

  const Platform& platform_;
  const Routing& routing_;
  Capacities nominal_;
  std::vector<GpuId> gpus_;
  int ranks_per_node_ = 1, nodes_ = 1;
  std::shared_ptr<const std::vector<Ring>> rings_;
  std::map<const AlgorithmEntry*, Reference> references_;
};

// The platform's own routing.
RoutingSpec routing_alone(const Platform& platform);

// The GPUs that a placement of the registry gives to `nodes` x `gpus_per_node` ranks on an idle
// platform. Throws InfeasibleError if they are not there.
std::vector<GpuId> place_ranks(const Platform& platform, int nodes, int gpus_per_node,
                               const std::string& placement);

}  // namespace trainyard
