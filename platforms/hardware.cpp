#include "platforms/hardware.hpp"

#include "base/text.hpp"
#include "platforms/gpus.hpp"

#include <algorithm>

namespace trainyard {

namespace {

struct NetworkKind {
  const char* name;
  RoutingPolicy routing;
};

const std::vector<NetworkKind>& networks() {
  static const std::vector<NetworkKind> kinds = {{"infiniband", RoutingPolicy::Static},
                                                 {"roce", RoutingPolicy::Ecmp},
                                                 {"efa", RoutingPolicy::Spray},
                                                 {"slingshot", RoutingPolicy::Adaptive}};
  return kinds;
}

std::vector<std::string> network_names() {
  std::vector<std::string> names;
  for (const NetworkKind& kind : networks()) names.emplace_back(kind.name);
  return names;
}

bool usual_nvls(const std::string& gpu) {
  const GpuType* type = find_gpu_type(gpu);
  return type && type->nvls;
}

void read_sharp(Properties& properties, Hardware& hardware) {
  if (!properties.has("sharp_trees")) return;
  hardware.sharp_trees = properties.count("sharp_trees");
  if (hardware.sharp_trees > 0 && hardware.network != "infiniband")
    throw properties.infeasible(
        "sharp_trees", "only InfiniBand switches reduce (SHARP), but 'network' is " +
                           (hardware.network.empty() ? "not given" : "'" + hardware.network + "'"));
}

}  // namespace

std::string gpu_model_in(const std::string& device) {
  std::string longest;  // "GH200" rather than "H200"
  for (const std::string& name : gpu_names())
    if (device.find(name) != std::string::npos && name.size() > longest.size()) longest = name;
  return longest;
}

const std::vector<std::string>& routing_names() {
  static const std::vector<std::string> names = {"static", "ecmp", "spray", "adaptive"};
  return names;
}

const char* to_string(RoutingPolicy policy) {
  return routing_names()[static_cast<std::size_t>(policy)].c_str();
}

RoutingPolicy routing_named(const std::string& name) {
  const auto& names = routing_names();
  return static_cast<RoutingPolicy>(std::find(names.begin(), names.end(), name) - names.begin());
}

RoutingPolicy usual_routing(const std::string& network) {
  for (const NetworkKind& kind : networks())
    if (kind.name == network) return kind.routing;
  return RoutingPolicy::Static;
}

Hardware read_hardware(Properties& properties) {
  Hardware hardware;
  hardware.gpu = properties.one_of_or("gpu", gpu_names(), "");
  hardware.cpu_vendor = properties.one_of_or("cpu_vendor", {"intel", "amd", "arm"}, "");
  hardware.network = properties.one_of_or("network", network_names(), "");
  hardware.nvlinks_per_gpu = properties.positive_int_or("nvlinks_per_gpu", 0);
  const char* const usual = usual_nvls(hardware.gpu) ? "yes" : "no";
  hardware.nvls = properties.one_of_or("nvls", {"yes", "no"}, usual) == "yes";
  read_sharp(properties, hardware);
  return hardware;
}

}  // namespace trainyard
