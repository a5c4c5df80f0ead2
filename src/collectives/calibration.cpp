#include "collectives/calibration.hpp"

#include "collectives/rings/rings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

// How far the size is outside of the law's, as a factor; 1 inside.
double distance(const CollectiveLaw& law, Bytes size) {
  const auto ratio = [](Bytes far, Bytes near) {
    return static_cast<double>(far.count()) /
           static_cast<double>(std::max<std::int64_t>(near.count(), 1));
  };
  if (size < law.from) return ratio(law.from, size);
  return law.to < size ? ratio(size, law.to) : 1;
}

}  // namespace

NodeClass node_class(int nodes) {
  if (nodes <= 1) return NodeClass::One;
  return nodes == 2 ? NodeClass::Two : NodeClass::More;
}

int nodes_of(const Collective& collective) {
  return (collective.ranks + collective.ranks_per_node - 1) / collective.ranks_per_node;
}

const AlgorithmEntry& default_algorithm(const Collective& collective,
                                        const Calibration* calibration) {
  const CollectiveLaw* law = calibration ? find_law(*calibration, collective.kind, "",
                                                    nodes_of(collective), collective.size)
                                         : nullptr;
  const AlgorithmEntry* measured = law ? find_algorithm(collective.kind, law->algorithm) : nullptr;
  return measured && measured->applies(collective) ? *measured : default_algorithm(collective);
}

std::shared_ptr<const std::vector<Ring>> channels_of(const Collective& collective) {
  const int local = collective.ranks_per_node;
  if (local == 1 || nodes_of(collective) == 1 || collective.ranks % local != 0) return {};
  return std::make_shared<const std::vector<Ring>>(rotated_rings(collective.ranks, local, local));
}

bool is_inside(const CollectiveLaw& law, int nodes, Bytes size) {
  return law.nodes_from <= nodes && nodes <= law.nodes_to && law.from <= size && size <= law.to;
}

const CollectiveLaw* find_law(const Calibration& calibration, CollectiveKind kind,
                              const std::string& algorithm, int nodes, Bytes size) {
  const CollectiveLaw* best = nullptr;
  double nearest = std::numeric_limits<double>::infinity();
  for (const CollectiveLaw& law : calibration.laws) {
    if (law.kind != kind || (!algorithm.empty() && law.algorithm != algorithm)) continue;
    if (node_class(law.nodes_from) != node_class(nodes)) continue;
    const double far = distance(law, size);
    if (far < nearest) best = &law, nearest = far;
  }
  return best;
}

Seconds law_time(const CollectiveLaw& law, Seconds path, int rounds, Seconds wire) {
  const Seconds paid = wire / law.efficiency;
  const Seconds filling(2 * std::sqrt(in_seconds(law.fill) * in_seconds(paid)));
  return path + law.base + rounds * law.per_step + paid + filling;
}

}  // namespace trainyard
