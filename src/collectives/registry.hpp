// Every collective algorithm there is. `trainyard list` prints it; the property tests run over it.
#pragma once

#include "collectives/collective.hpp"

#include <string>
#include <vector>

namespace trainyard {

// Which switches must add up and copy for an algorithm: those inside nodes (NVLS), or the fabric's
// (SHARP).
enum class Offload { None, NvSwitch, Fabric };

struct AlgorithmEntry {
  const char* name;  // "ring", "two_level", "direct", ...: unique within a kind
  CollectiveKind kind;
  std::vector<Phase> (*phases)(const Collective& collective);
  Schedule (*expand)(const Collective& collective);
  bool (*applies)(const Collective& collective);
  const char* sentence;
  Offload offload = Offload::None;
};

const std::vector<AlgorithmEntry>& algorithms();

// By name; nullptr if there is none of that name for that kind.
const AlgorithmEntry* find_algorithm(CollectiveKind kind, const std::string& name);

// What is used when nobody names one. All-reduce over several nodes of several equal ranks:
// two_level; otherwise ring, as for all-gather and reduce-scatter. All-to-all, gather, scatter:
// direct. Broadcast, reduce: chain or binomial, whichever sends fewer bytes one after the other,
// which is chain for long buffers over few ranks. What NCCL would choose: tuner/.
const AlgorithmEntry& default_algorithm(const Collective& collective);

}  // namespace trainyard
