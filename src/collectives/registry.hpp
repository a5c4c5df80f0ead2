// Every collective algorithm there is. `trainyard list` prints it; the property tests run over it.
#pragma once

#include "collectives/collective.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct AlgorithmEntry {
  const char* name;  // "ring", "two_level", "direct", ...: unique within a kind
  CollectiveKind kind;
  std::vector<Phase> (*phases)(const Collective& collective);
  Schedule (*expand)(const Collective& collective);
  bool (*applies)(const Collective& collective);
  const char* sentence;
};

const std::vector<AlgorithmEntry>& algorithms();

// By name; nullptr if there is none of that name for that kind.
const AlgorithmEntry* find_algorithm(CollectiveKind kind, const std::string& name);

// What is used when nobody names one: two_level for an all-reduce over several nodes of several
// equal ranks, otherwise ring; direct for all-to-all.
const AlgorithmEntry& default_algorithm(const Collective& collective);

}  // namespace trainyard
