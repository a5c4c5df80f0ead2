// What a collective costs beyond its links' figures: start-up, steps, protocol overhead.
//
// A law turns what the flow model knows (path latency, rounds, and the bytes at full rate: `wire`)
// into the time that NCCL takes:
//
//   time = path latency + base + rounds x per_step + (sqrt(wire / efficiency) + sqrt(fill))^2 -
//   fill
//
// The square is a pipeline that cuts its buffer as well as it can: c chunks through p stages take
// (c + p) (a + wire / c); the best c gives (sqrt(wire) + sqrt(p a))^2, with p a = `fill`, which is
// felt long before the start-up is and long after. The constant `fill` itself is part of `base`.
//
// Laws are fitted from nccl-tests logs (`trainyard calibrate`) and kept in a CSV file beside the
// platform. Without one, assumed_law() gives NCCL's own constants.
#pragma once

#include "base/quantity.hpp"
#include "collectives/registry.hpp"
#include "platforms/platform.hpp"

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

struct CollectiveLaw {
  CollectiveKind kind = CollectiveKind::AllReduce;
  std::string algorithm;
  int nodes_from = 1, nodes_to = 1;  // where it was measured
  Bytes from, to;
  Seconds base, per_step, fill;
  double efficiency = 1;             // (0, 1]: a cap on the rate, of what the links would give
  double loo_mean = 0, loo_max = 0;  // relative errors of sizes left out of the fit, one by one
  std::string source;
};

struct Calibration {
  std::string label = "assumed";  // "calibrated" once it comes from a file
  std::vector<CollectiveLaw> laws;
};

// NCCL's own distinction: one node, two nodes, more.
enum class NodeClass { One, Two, More };
NodeClass node_class(int nodes);

// The algorithm that was measured for it, or default_algorithm() where none was.
const AlgorithmEntry& default_algorithm(const Collective& collective,
                                        const Calibration* calibration);

// The rings that laws are fitted to: NCCL's channels, as many as a node has ranks; none on one
// node.
std::shared_ptr<const std::vector<Ring>> channels_of(const Collective& collective);

// The law for these nodes and this size, of this algorithm ("": of any): the one whose sizes hold
// it, or else the nearest of its class. nullptr if the class has none.
const CollectiveLaw* find_law(const Calibration& calibration, CollectiveKind kind,
                              const std::string& algorithm, int nodes, Bytes size);
bool is_inside(const CollectiveLaw& law, int nodes, Bytes size);

// How many nodes a collective spans, as far as its shape says.
int nodes_of(const Collective& collective);

// What the collective takes: `path` is the latency of its links, `wire` its bytes at full rate.
Seconds law_time(const CollectiveLaw& law, Seconds path, int rounds, Seconds wire);

// The law without measurements: of NCCL's protocols (LL, LL128, Simple) the fastest for this wire
// time, with NCCL's latencies; the rates are what measured plateaus agree on (the .cpp says which).
CollectiveLaw assumed_law(const Collective& collective, const std::string& algorithm, int rounds,
                          Seconds wire);

// What the platform names: the laws of its file, or none and its words for them.
Calibration calibration_of(const Platform& platform);

// CSV; `label` becomes "calibrated". Throws InputError with file and line.
Calibration read_calibration(const std::string& file);
std::string to_csv(const Calibration& calibration);

}  // namespace trainyard
