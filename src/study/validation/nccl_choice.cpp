#include "study/validation/nccl_choice.hpp"

#include "collectives/calibration.hpp"

#include <algorithm>

namespace trainyard {

std::vector<const AlgorithmEntry*> nccl_algorithms(const Collective& collective,
                                                   const Platform& platform) {
  std::vector<const AlgorithmEntry*> found;
  const auto add = [&](NcclAlgorithm algorithm) {
    const AlgorithmEntry* entry = algorithm_for(algorithm, collective);
    if (entry && std::find(found.begin(), found.end(), entry) == found.end())
      found.push_back(entry);
  };
  for (const NcclAlgorithm algorithm : {NcclAlgorithm::Ring, NcclAlgorithm::Tree}) add(algorithm);
  if (platform.hardware.nvls)
    add(nodes_of(collective) == 1 ? NcclAlgorithm::Nvls : NcclAlgorithm::NvlsTree);
  if (found.empty()) {
    const AlgorithmEntry& ours = default_algorithm(collective);
    if (ours.applies(collective)) found.push_back(&ours);
  }
  return found;
}

}  // namespace trainyard
