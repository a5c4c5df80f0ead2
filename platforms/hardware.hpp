// What the parts of a platform are, beyond how fast they are: the names that a tuner's tables, a
// collective's offload and a network's default routing depend on.
//
// Everything is optional: an empty text or a zero is "nobody said", never a claim.
#pragma once

#include "platforms/properties.hpp"

#include <string>
#include <vector>

namespace trainyard {

enum class RoutingPolicy { Static, Ecmp, Spray, Adaptive };
const char* to_string(RoutingPolicy policy);
// "static", "ecmp", "spray", "adaptive": what files may say, in the order of the enumeration.
const std::vector<std::string>& routing_names();
RoutingPolicy routing_named(const std::string& name);  // one of routing_names()

struct Hardware {
  std::string gpu;          // one of gpu_types(): "A100", "H100", ...
  std::string cpu_vendor;   // "intel", "amd", "arm"
  std::string network;      // "infiniband", "roce", "efa", "slingshot"
  int nvlinks_per_gpu = 0;  // cables of one GPU, whose bandwidths add up to the link's
  bool nvls = false;        // the NVSwitch can reduce and multicast
  int sharp_trees = 0;      // reductions that one fabric switch can serve at once; InfiniBand only
};

// The model of `gpu` that a driver's name for it contains ("NVIDIA H100 80GB HBM3": "H100"); "" if
// none.
std::string gpu_model_in(const std::string& device);

// gpu, cpu_vendor, network, nvlinks_per_gpu, nvls, sharp_trees. Without a word in the file, nvls is
// what the GPU's NVSwitch can do (H100 and later); whether there is an NVSwitch the builder knows.
Hardware read_hardware(Properties& properties);

// How packets are spread over equal paths where nobody says otherwise: InfiniBand follows
// destination tables, RoCE hashes, EFA (SRD) sprays, Slingshot adapts.
RoutingPolicy usual_routing(const std::string& network);

}  // namespace trainyard
