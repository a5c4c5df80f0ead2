// What was measured of NVLS against rings, and rings on irregular meshes.
#include "collectives/rings/ring_search.hpp"
#include "collectives/rings/rings.hpp"
#include "study/validation/oracles/oracles.hpp"
#include "study/validation/oracles/testbeds.hpp"
#include "study/validation/simulated_sweep.hpp"

#include <utility>
#include <vector>

namespace trainyard {

namespace {

OracleName measured(const std::string& name, const char* unit, const char* source) {
  return {"algorithm", name, unit, "M", source};
}
constexpr const char* kMachines = "stas00/ml-engineering 744d01e";

Platform node_of(const char* gpu, const char* nvlink, const char* links) {
  return platform_of({{"topology", "nvlink_domain"},
                      {"gpus_per_node", "8"},
                      {"nvlink_bandwidth", nvlink},
                      {"nvlink_latency", "0.5 us"},
                      {"nvlinks_per_gpu", links},
                      {"gpu", gpu}});
}

// The fewest GPUs for which NCCL's model takes NVLS at 8 GiB; 9 if it never does.
int nvls_from(const char* gpu, const char* nvlink, const char* links) {
  for (int gpus = 4; gpus <= 8; ++gpus) {
    Timed node(node_of(gpu, nvlink, links), 1, gpus);
    const Calibration none;
    const SimulatedRow row =
        simulate_row(node.timer, none, CollectiveKind::AllReduce, "", gibibytes(8));
    if (row.algorithm == "nvls") return gpus;
  }
  return 9;
}

double busbw(const char* algorithm, int gpus) {
  Timed node(nvswitch(8, "450 GB/s", "0 us"), 1, gpus);
  const double time = node.seconds(CollectiveKind::AllReduce, algorithm, gibibytes(8));
  return 2.0 * (gpus - 1) / gpus * double(gibibytes(8).count()) / time / 1e9;
}

void add_nvls(OracleResults& results) {
  const std::string reason = "what NCCL's cost model chooses, not what is fastest here";
  results.push_back(finding(measured("NVLS is taken from H200 8 GiB", "GPUs", kMachines), 5,
                            nvls_from("H200", "450 GB/s", "18"), {5, 5}, reason));
  results.push_back(finding(measured("NVLS is taken from B200 8 GiB", "GPUs", kMachines), 6,
                            nvls_from("B200", "900 GB/s", "18"), {6, 6}, reason));
  const std::pair<int, double> figures[] = {{5, 414.2}, {6, 435.6}, {7, 460.0}};
  for (const auto& [gpus, figure] : figures) {
    const double expected = figure / 473.1;
    results.push_back(finding(
        measured("NVLS busbw of " + std::to_string(gpus) + " GPUs, H200, 8 GiB", "of 8", kMachines),
        expected, busbw("nvls", gpus) / busbw("nvls", 8), {expected * 0.97, expected * 1.03}, ""));
  }
  results.push_back(
      finding({"algorithm", "NVLS against ring, 8 GPUs, busbw of 512 MiB and more", "of ring", "S",
               "aliyun/SimAI docs/Tutorial.md"},
              218.09 / 166.68, busbw("nvls", 8) / busbw("ring", 8), {1.1, 1.6},
              "links alone: NVLS' own efficiency (0.85 of NCCL's model) is left out"));
}

// The hybrid cube mesh: what all rings that the search finds among the first GPUs carry together.
LinkMatrix cube_mesh(int gpus) {
  const std::vector<std::pair<int, int>> two_links = {{0, 3}, {0, 4}, {1, 2}, {1, 5},
                                                      {2, 3}, {4, 7}, {5, 6}, {6, 7}},
                                         one_link = {{0, 1}, {0, 2}, {1, 3}, {2, 6},
                                                     {3, 7}, {4, 5}, {4, 6}, {5, 7}};
  LinkMatrix links;
  links.members = gpus;
  links.between.resize(static_cast<std::size_t>(gpus) * static_cast<std::size_t>(gpus));
  const auto at = [gpus](int from, int to) {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(gpus) +
           static_cast<std::size_t>(to);
  };
  const auto join = [&](const std::vector<std::pair<int, int>>& pairs, double rate) {
    for (const auto& [a, b] : pairs) {
      if (a >= gpus || b >= gpus) continue;
      links.between[at(a, b)] = gigabytes_per_second(rate);
      links.between[at(b, a)] = gigabytes_per_second(rate);
    }
  };
  join(two_links, 50);
  join(one_link, 25);
  return links;
}

void add_cube_mesh(OracleResults& results) {
  const std::pair<int, double> table[] = {{2, 22.55}, {3, 45.14}, {4, 85.36}, {5, 37.17},
                                          {6, 45.74}, {7, 87.01}, {8, 134.51}};
  for (const auto& [gpus, figure] : table)
    results.push_back(
        finding(measured("V100 cube mesh all-reduce of 1 GiB on " + std::to_string(gpus) + " GPUs",
                         "GB/s busbw", "VIA-Research/vTrain f8dda84"),
                figure, find_rings(cube_mesh(gpus)).total() / gigabytes_per_second(1),
                {figure * 0.85, figure * 1.15},
                "rings of 25 GB/s links; that the node is a DGX-1 is inferred"));
  results.push_back(
      finding(measured("V100 cube mesh: the fall from 4 to 5 GPUs", "of 4", "VIA-Research/vTrain"),
              37.17 / 85.36, find_rings(cube_mesh(5)).total() / find_rings(cube_mesh(4)).total(),
              {0.3, 0.6}, ""));
}

// ---- Jean Zay: nodes of four V100, two links between each pair; 4 GB through PyTorch ----

constexpr const char* kJeanZay = "jeanzay logs, stas00/ml-engineering";

double four_v100() {
  LinkMatrix links{4, std::vector<Bandwidth>(16, gigabytes_per_second(50))};
  for (std::size_t gpu = 0; gpu < 4; ++gpu) links.between[gpu * 5] = Bandwidth();
  return find_rings(links).total() / gigabytes_per_second(1);
}

// NCCL's four channels, over the two Omni-Path ports that the log names.
double over_omni_path(int nodes) {
  Timed cluster(platform_of({{"topology", "single_switch"},
                             {"nodes", std::to_string(nodes)},
                             {"gpus_per_node", "4"},
                             {"nvlink_bandwidth", "150 GB/s"},
                             {"nvlink_latency", "0 us"},
                             {"nics_per_node", "2"},
                             {"nic_bandwidth", "100 Gbit/s"},
                             {"nic_latency", "0 us"},
                             {"switch_latency", "0 us"}}),
                nodes, 4);
  const int ranks = 4 * nodes;
  CollectiveSpec spec;
  spec.collective = cluster.timer.collective(CollectiveKind::AllReduce, bytes(4'000'000'000));
  spec.collective.rings =
      std::make_shared<const std::vector<Ring>>(rotated_rings(ranks, 4, /*channels=*/4));
  spec.algorithm = find_algorithm(CollectiveKind::AllReduce, "ring");
  spec.members = {place_ranks(cluster.platform, nodes, 4, "first_fit")};
  int rounds = 0;
  double time = 0;
  for (const FlowGroup& group : lower_phases(spec, cluster.platform, *cluster.routing, rounds))
    time += in_seconds(alone_duration(group, nominal_capacities(cluster.platform)));
  return 2.0 * (ranks - 1) / ranks * 4 / time;
}

void add_jean_zay(OracleResults& results) {
  const auto add = [&](const char* name, double figure, double got, const char* reason) {
    results.push_back(finding(measured(name, "GB/s busbw", kJeanZay), figure, got,
                              {figure * 0.85, figure * 1.15}, reason));
  };
  add("Jean Zay 1 node of 4 V100 all-reduce of 4 GB", 124.7, four_v100(), "links alone");
  add("Jean Zay 4 nodes of 4 V100 all-reduce of 4 GB", 10.59, over_omni_path(4), "links alone");
  add("Jean Zay 16 nodes of 4 V100 all-reduce of 4 GB", 6.87, over_omni_path(16), "links alone");
}

}  // namespace

void add_algorithm_findings(OracleResults& results) {
  add_jean_zay(results);
  add_nvls(results);
  add_cube_mesh(results);
}

}  // namespace trainyard
