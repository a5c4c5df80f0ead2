// Which algorithm a collective gets on given GPUs of a platform, for jobs and for `nccl-tests`
// alike.
//
//   1. the one the user names, if it fits the ranks and the hardware
//   2. the one that the platform's calibration has measured
//   3. the one that NCCL's cost model would choose, if the platform says its GPU
//   4. the registry's default
#pragma once

#include "collectives/calibration.hpp"
#include "collectives/tuner/tuner.hpp"
#include "network/choice/offload.hpp"

#include <map>
#include <string>
#include <vector>

namespace trainyard {

// What holds for a whole run, or for one job of it.
struct AlgorithmRules {
  bool tuned = true;                            // false: no NCCL, and rings in the order of ranks
  std::map<CollectiveKind, std::string> named;  // by the user; an operation's own name comes first
  std::string no_offload;  // why no switch may add up; "": where the hardware can, it may
  std::string no_trees;    // the same of the fabric's switches alone
};

enum class ChosenBy { User, Measurement, Tuner, Default };
const char* to_string(ChosenBy by);  // for a report: "named", "measured", "NCCL's tuner", "default"

struct ChosenAlgorithm {
  AlgorithmChoice choice;
  ChosenBy by = ChosenBy::Default;
  std::string note;  // on a name that could not be used: why, and what is used instead
};

class AlgorithmChooser {
public:
  // `calibration` may be none. All but the rules must outlive it.
  AlgorithmChooser(const Platform& platform, const Calibration* calibration, AlgorithmRules rules)
      : platform_(platform), calibration_(calibration), rules_(std::move(rules)) {}

  // The collective as it lies on these GPUs, by rank: its nodes and, where NCCL is to be followed,
  // its rings.
  Collective on(const std::vector<GpuId>& gpus, CollectiveKind kind, Bytes size);

  // `named`: "" for none.
  ChosenAlgorithm choose(const Collective& collective, const std::vector<GpuId>& gpus,
                         const std::string& named) const;

  // Why it cannot be used; "" if it can.
  std::string refusal(const AlgorithmEntry& entry, const Collective& collective,
                      const std::vector<GpuId>& gpus) const;

private:
  ChosenAlgorithm unnamed(const Collective& collective, const std::vector<GpuId>& gpus) const;
  bool follows_nccl() const;

  const Platform& platform_;
  const Calibration* calibration_;
  AlgorithmRules rules_;
  struct Shape {
    int ranks_per_node = 1;
    std::shared_ptr<const std::vector<Ring>> rings;
  };
  std::map<std::vector<GpuId>, Shape> shapes_;
};

}  // namespace trainyard
