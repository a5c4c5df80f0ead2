#include "study/validation/nccl_choice.hpp"

#include <algorithm>

namespace trainyard {

namespace {

int compute_capability(const std::string& gpu) {
  if (gpu == "V100") return 70;
  if (gpu == "A100") return 80;
  return gpu == "B200" || gpu == "GB200" || gpu == "B300" || gpu == "GB300" ? 100 : 90;
}

CpuVendor vendor(const std::string& name) {
  if (name == "amd") return CpuVendor::Amd;
  return name == "intel" ? CpuVendor::Intel : CpuVendor::Other;
}

bool has_nvswitch(const Platform& platform) {
  return !platform.gpus.empty() && platform.gpus.front().nvlink_up.valid();
}

// Of the first node, all its NICs.
Bandwidth out_of_a_node(const Platform& platform) {
  Bandwidth sum;
  for (const Nic& nic : platform.nics)
    if (nic.node == NodeId(0)) sum += platform.links[nic.up.index()].bandwidth;
  return sum;
}

Bandwidth nvlink_of_a_gpu(const Platform& platform) {
  if (has_nvswitch(platform))
    return platform.links[platform.gpus.front().nvlink_up.index()].bandwidth;
  Bandwidth sum;
  for (const NvlinkPair& pair : platform.nvlink_pairs)
    if (pair.a == GpuId(0)) sum += platform.links[pair.a_to_b.index()].bandwidth;
  return sum;
}

}  // namespace

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

TunerInput tuner_input(const Collective& collective, const Platform& platform) {
  TunerInput input;
  input.kind = collective.kind;
  input.size = collective.size;
  input.ranks = collective.ranks;
  input.nodes = nodes_of(collective);
  input.sm = compute_capability(platform.hardware.gpu);
  input.cpu = vendor(platform.hardware.cpu_vendor);
  const Bandwidth nvlink = nvlink_of_a_gpu(platform);
  const int links = platform.hardware.nvlinks_per_gpu;
  input.intra_link = nvlink > Bandwidth() ? IntraLink::NvLink : IntraLink::Pcie;
  input.plan = search_channels(input.sm, links > 0 ? links * nccl_nvlink(input.sm) : nvlink,
                               out_of_a_node(platform));
  input.nvswitch = has_nvswitch(platform);
  input.nvls = platform.hardware.nvls;
  return input;
}

const AlgorithmEntry& usual_algorithm(const Collective& collective, const Platform& platform,
                                      const Calibration& calibration) {
  if (find_law(calibration, collective.kind, "", nodes_of(collective), collective.size))
    return default_algorithm(collective, &calibration);
  return *choose_algorithm(collective, tuner_input(collective, platform), "").algorithm;
}

}  // namespace trainyard
