// Small platforms that oracles are asked on, and how long things take there alone.
#pragma once

#include "study/validation/collective_timer.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

Platform platform_of(const std::vector<std::pair<std::string, std::string>>& properties);
// Latency of a GPU to the switch chip: `latency`, twice a transfer.
Platform nvswitch(int gpus, const std::string& rate, const std::string& latency = "0.5 us");
// Nodes of one GPU on one switch; each NIC takes `latency`.
Platform hosts(int count, const std::string& nic, const std::string& latency);
// Nodes of 8 GPUs at 450 GB/s, a NIC each, on one switch; nothing takes any latency.
Platform nodes_of_eight(int nodes, const std::string& nic);
struct TwoTier {
  int hosts, per_leaf, oversubscription;
  std::string rate;
};
// Nodes of one GPU below leaves and spines without latency.
Platform leaves_and_spines(const TwoTier& shape);

struct Timed {
  Platform platform;
  std::unique_ptr<Routing> routing;
  CollectiveTimer timer;

  Timed(Platform made, int nodes, int per_node, const RoutingSpec& spec = {});
  Timed(Platform made, std::vector<GpuId> gpus, const RoutingSpec& spec = {});

  // Latencies of links and bytes, without anything calibrated.
  double seconds(CollectiveKind kind, const char* algorithm, Bytes size);
  double fastest(CollectiveKind kind, Bytes size);  // of all algorithms that apply
};

std::vector<GpuId> first_gpus(int count);

// Transfers that start together, each on its own: when the last has ended, at rates that change as
// others end. Seconds; latencies are left out.
struct OneFlow {
  int from, to;
  Bytes size;
};
std::vector<double> completions(const Platform& platform, const Routing& routing,
                                const std::vector<OneFlow>& flows);

}  // namespace trainyard
