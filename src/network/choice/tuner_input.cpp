#include "network/choice/tuner_input.hpp"

#include "network/choice/communicator.hpp"
#include "network/choice/offload.hpp"
#include "platforms/gpus.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace trainyard {

namespace {

int compute_capability(const std::string& gpu) {
  const GpuType* type = find_gpu_type(gpu);
  return type ? type->compute_capability : 0;
}

CpuVendor vendor(const std::string& name) {
  if (name == "amd") return CpuVendor::Amd;
  return name == "arm" ? CpuVendor::Other : CpuVendor::Intel;
}

// Of the first node of the communicator: the NICs that its ranks leave by.
Bandwidth out_of_a_node(const std::vector<GpuId>& gpus, const Platform& platform) {
  const std::int64_t node = nccl_node(platform, gpus.front());
  std::set<NicId> nics;
  for (const GpuId id : gpus) {
    const Gpu& gpu = platform.gpus[id.index()];
    if (nccl_node(platform, id) != node || !gpu.nic.valid()) continue;
    nics.insert(gpu.nic);
    nics.insert(gpu.more_nics.begin(), gpu.more_nics.end());
  }
  Bandwidth sum;
  for (const NicId nic : nics)
    sum += platform.links[platform.nics[nic.index()].up.index()].bandwidth;
  return sum;
}

// Of the first GPU to the others of its node, as NCCL counts its cables if their number is known.
Bandwidth nvlink_of_a_gpu(const std::vector<GpuId>& gpus, const Platform& platform, int sm) {
  const Gpu& first = platform.gpus[gpus.front().index()];
  if (first.nvlink_up.valid()) {
    const int links = platform.hardware.nvlinks_per_gpu;
    return links > 0 ? links * nccl_nvlink(sm) : platform.links[first.nvlink_up.index()].bandwidth;
  }
  Bandwidth sum;
  for (const GpuId other : gpus) sum += nvlink_bandwidth(platform, gpus.front(), other);
  return sum;
}

// Without NVLink the GPUs meet over PCIe.
Bandwidth inside_a_node(const std::vector<GpuId>& gpus, const Platform& platform, int sm) {
  const Bandwidth nvlink = nvlink_of_a_gpu(gpus, platform, sm);
  const LinkId pcie = platform.gpus[gpus.front().index()].pcie_up;
  if (nvlink > Bandwidth() || !pcie.valid()) return nvlink;
  return platform.links[pcie.index()].bandwidth;
}

int count_nodes(const std::vector<GpuId>& gpus, const Platform& platform) {
  std::set<std::int64_t> nodes;
  for (const GpuId gpu : gpus) nodes.insert(nccl_node(platform, gpu));
  return static_cast<int>(nodes.size());
}

}  // namespace

std::optional<TunerInput> tuner_input(const Collective& collective, const std::vector<GpuId>& gpus,
                                      const Platform& platform) {
  TunerInput input;
  input.sm = compute_capability(platform.hardware.gpu);
  if (input.sm == 0) return std::nullopt;
  input.kind = collective.kind;
  input.size = collective.size;
  input.ranks = collective.ranks;
  input.nodes = count_nodes(gpus, platform);
  input.cpu = vendor(platform.hardware.cpu_vendor);
  const Bandwidth nvlink = nvlink_of_a_gpu(gpus, platform, input.sm);
  const Bandwidth between = out_of_a_node(gpus, platform);
  const bool alone = input.nodes == input.ranks;  // on its node: only the network bounds a channel
  input.intra_link = alone || nvlink > Bandwidth() ? IntraLink::NvLink : IntraLink::Pcie;
  input.plan =
      search_channels(input.sm, alone ? between : inside_a_node(gpus, platform, input.sm), between);
  input.nvswitch = platform.gpus[gpus.front().index()].nvlink_up.valid();
  input.nvls = missing_hardware(Offload::NvSwitch, gpus, platform).empty();
  input.collnet = missing_hardware(Offload::Fabric, gpus, platform).empty();
  return input;
}

}  // namespace trainyard
