#include "study/validation/oracles/testbeds.hpp"

#include "network/max_min.hpp"
#include "platforms/xml.hpp"

#include <algorithm>
#include <limits>

namespace trainyard {

Platform platform_of(const std::vector<std::pair<std::string, std::string>>& properties) {
  std::string text = "<platform version=\"4.1\"><zone id=\"oracle\" routing=\"None\">";
  for (const auto& [id, value] : properties)
    text.append("<prop id=\"").append(id).append("\" value=\"").append(value).append("\"/>");
  return parse_platform("oracle", text + "</zone></platform>");
}

Platform nvswitch(int gpus, const std::string& rate, const std::string& latency) {
  return platform_of({{"topology", "nvlink_domain"},
                      {"gpus_per_node", std::to_string(gpus)},
                      {"nvlink_bandwidth", rate},
                      {"nvlink_latency", latency}});
}

Platform hosts(int count, const std::string& nic, const std::string& latency) {
  return platform_of({{"topology", "single_switch"},
                      {"nodes", std::to_string(count)},
                      {"gpus_per_node", "1"},
                      {"nic_bandwidth", nic},
                      {"nic_latency", latency},
                      {"switch_latency", "0 ns"}});
}

Platform nodes_of_eight(int nodes, const std::string& nic) {
  return platform_of({{"topology", "single_switch"},
                      {"nodes", std::to_string(nodes)},
                      {"gpus_per_node", "8"},
                      {"nvlink_bandwidth", "450 GB/s"},
                      {"nvlink_latency", "0 us"},
                      {"nic_bandwidth", nic},
                      {"nic_latency", "0 us"},
                      {"switch_latency", "0 us"}});
}

Platform leaves_and_spines(const TwoTier& shape) {
  const int leaves = shape.hosts / shape.per_leaf;
  return platform_of({{"topology", "fat_tree"},
                      {"nodes", std::to_string(shape.hosts)},
                      {"gpus_per_node", "1"},
                      {"nic_bandwidth", shape.rate},
                      {"nic_latency", "0 us"},
                      {"levels", "2"},
                      {"down", std::to_string(shape.per_leaf) + "," + std::to_string(leaves)},
                      {"oversubscription", std::to_string(shape.oversubscription)},
                      {"switch_bandwidth", shape.rate},
                      {"switch_latency", "0 us"}});
}

Timed::Timed(Platform made, int nodes, int per_node, const RoutingSpec& spec)
    : platform(std::move(made)),
      routing(make_routing(platform, spec)),
      timer(platform, *routing, place_ranks(platform, nodes, per_node, "first_fit")) {}

Timed::Timed(Platform made, std::vector<GpuId> gpus, const RoutingSpec& spec)
    : platform(std::move(made)),
      routing(make_routing(platform, spec)),
      timer(platform, *routing, std::move(gpus)) {}

double Timed::seconds(CollectiveKind kind, const char* algorithm, Bytes size) {
  const Uncalibrated known = timer.cost(kind, *find_algorithm(kind, algorithm), size).known;
  return in_seconds(known.path + known.wire);
}

double Timed::fastest(CollectiveKind kind, Bytes size) {
  double least = std::numeric_limits<double>::infinity();
  for (const AlgorithmEntry& entry : algorithms())
    if (entry.kind == kind && entry.applies(timer.collective(kind, size)))
      least = std::min(least, seconds(kind, entry.name, size));
  return least;
}

std::vector<GpuId> first_gpus(int count) {
  std::vector<GpuId> gpus;
  gpus.reserve(static_cast<std::size_t>(count));
  for (int gpu = 0; gpu < count; ++gpu) gpus.emplace_back(gpu);
  return gpus;
}

std::vector<double> completions(const Platform& platform, const Routing& routing,
                                const std::vector<OneFlow>& flows) {
  MaxMin solver(nominal_capacities(platform), platform);
  std::vector<FlowGroup> groups;
  groups.reserve(flows.size());
  for (const OneFlow& flow : flows)
    groups.push_back(lower({Phase{std::vector<Edge>{{Rank{0}, Rank{1}, flow.size}}, 1}},
                           {{GpuId(flow.from), GpuId(flow.to)}}, platform, routing));
  std::vector<MaxMin::Key> keys;
  std::vector<double> left, ends(flows.size(), -1);
  for (const FlowGroup& group : groups) {
    keys.push_back(solver.add(group));
    left.push_back(group.length);
  }
  double now = 0;
  for (std::size_t running = flows.size(); running > 0;) {
    solver.solve();
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < flows.size(); ++i)
      if (ends[i] < 0) step = std::min(step, left[i] / solver.rate(keys[i]));
    now += step;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (ends[i] >= 0) continue;
      left[i] -= step * solver.rate(keys[i]);
      if (left[i] > 1e-6 * groups[i].length) continue;
      ends[i] = now;
      solver.remove(keys[i]);
      --running;
    }
  }
  return ends;
}

}  // namespace trainyard
