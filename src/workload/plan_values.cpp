#include "workload/plan_values.hpp"

#include "collectives/registry.hpp"

namespace trainyard {

Seconds positive_seconds(Section& section, const std::string& key) {
  const Seconds time = section.seconds(key);
  if (time <= Seconds()) throw section.error(key, "must be longer than zero");
  return time;
}

std::vector<std::string> algorithm_names(CollectiveKind kind) {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : algorithms())
    if (entry.kind == kind) names.emplace_back(entry.name);
  return names;
}

}  // namespace trainyard
