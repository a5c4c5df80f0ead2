// Schedules that solvers found for a fabric, and the bounds they come near: no algorithm of ours
// may be faster than the bound. (How near ours come is told, not judged.)
#include "study/validation/oracles/oracles.hpp"
#include "study/validation/oracles/testbeds.hpp"

#include <algorithm>

namespace trainyard {

namespace {

// ---- TE-CCL: sizes decimal, S a rank's output ----

OracleName teccl(const std::string& name, const char* mark) {
  return {"TE-CCL", name, "us", mark, "microsoft/TE-CCL c128bf2"};
}

// Two DGX-2: 16 GPUs at 125 GB/s, 8 links of 12.5 GB/s out of each.
Platform two_dgx2() {
  return platform_of({{"topology", "single_switch"},
                      {"nodes", "2"},
                      {"gpus_per_node", "16"},
                      {"nvlink_bandwidth", "125 GB/s"},
                      {"nvlink_latency", "0.175 us"},
                      {"nics_per_node", "8"},
                      {"nic_bandwidth", "12.5 GB/s"},
                      {"nic_latency", "1.3 us"},
                      {"switch_latency", "0 us"}});
}

void add_teccl(OracleResults& results) {
  Timed pair(two_dgx2(), 2, 16);
  for (const std::int64_t megabytes : {1000, 256, 64, 16, 1}) {
    const Bytes size = bytes(megabytes * 1'000'000);
    const double s = 1e6 * static_cast<double>(size.count());  // us x B/s
    const std::string what = "DGX-2 x2, " + std::to_string(megabytes) + " MB";
    results.push_back(bound(teccl(what + ", all-gather", "E"), 31.0 / 32 * s / 125e9,
                            1e6 * pair.fastest(CollectiveKind::AllGather, size)));
    results.push_back(bound(teccl(what + ", all-to-all", "E"), 16 * s / 2 / 100e9,
                            1e6 * pair.fastest(CollectiveKind::AllToAll, size)));
  }
}

// ---- TACOS: meshes of GiB/s links; S total ----

struct Mesh {
  const char* name;
  std::vector<int> sides;
  bool wraps;
  const char *rate, *latency;
  std::int64_t gib;
  double least, found;  // us: (n-1)/n S / (smallest in-degree x B), and TACOS's own
};

int product(const std::vector<int>& sides) {
  int all = 1;
  for (const int side : sides) all *= side;
  return all;
}

// A switch for each place, with a GPU whose own link holds nothing back.
Platform mesh_of(const Mesh& mesh) {
  const int places = product(mesh.sides);
  const std::string last = std::to_string(places - 1);
  std::string cables = "n[0-" + last + "]/ib0 sw[0-" + last + "]: 1000 GiB/s, 0 s";
  for (int place = 0; place < places; ++place) {
    int stride = 1;
    for (const int side : mesh.sides) {
      const int at = place / stride % side;
      const bool edge = at == side - 1;
      // A side of two has one cable, not one each way round.
      if (!edge || (mesh.wraps && side > 2))
        cables += "; sw" + std::to_string(place) + " sw" +
                  std::to_string(edge ? place - at * stride : place + stride) + ": " + mesh.rate +
                  ", " + mesh.latency;
      stride *= side;
    }
  }
  return platform_of({{"topology", "graph"},
                      {"kinds", "one"},
                      {"kind.one.gpus", "1"},
                      {"kind.one.nics", "ib0 0: 1000 GiB/s, 0 s"},
                      {"nodes", "n[0-" + last + "]: one"},
                      {"switches", "sw[0-" + last + "]: 0 s"},
                      {"cables", cables}});
}

void add_tacos(OracleResults& results) {
  const Mesh meshes[] = {
      {"mesh 5x5", {5, 5}, false, "50 GiB/s", "0.5 us", 1, 9600, 9606},
      {"mesh 10x10", {10, 10}, false, "100 GiB/s", "1 us", 1, 4950, 5049},
      {"mesh 7x12", {7, 12}, false, "100 GiB/s", "1 us", 4, 19761.9, 19966.27},
      {"torus 3x3x3", {3, 3, 3}, true, "50 GiB/s", "0.5 us", 1, 3209.9, 3706.2},
      {"torus 3x4x5", {3, 4, 5}, true, "50 GiB/s", "0.5 us", 2, 6555.6, 6676.67},
      {"torus 4x2x3", {4, 2, 3}, true, "50 GiB/s", "0.5 us", 3, 11500, 11673.67},
      {"grid 3x3x3", {3, 3, 3}, false, "50 GiB/s", "0.5 us", 1, 6419.8, 6671.17},
      {"grid 3x4x5", {3, 4, 5}, false, "50 GiB/s", "0.5 us", 2, 13111.1, 13353.33},
      {"grid 4x2x3", {4, 2, 3}, false, "50 GiB/s", "0.5 us", 3, 19166.7, 19178.17},
  };
  for (const Mesh& mesh : meshes) {
    const int places = product(mesh.sides);
    Timed timed(mesh_of(mesh), first_gpus(places));
    results.push_back(bound(
        {"TACOS", std::string(mesh.name) + ", all-gather", "us", "E", "astra-sim/tacos 1811f1f"},
        mesh.least - 0.05,  // quoted to one decimal
        1e6 * timed.fastest(CollectiveKind::AllGather, gibibytes(mesh.gib))));
    results.back().reason = "TACOS itself " + std::to_string(mesh.found).substr(0, 8) + " (S)";
  }
}

}  // namespace

void add_synthesised_schedules(OracleResults& results) {
  add_teccl(results);
  add_tacos(results);
}

}  // namespace trainyard
