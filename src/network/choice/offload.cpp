#include "network/choice/offload.hpp"

#include <algorithm>

namespace trainyard {

namespace {

std::string missing_nvls(const std::vector<GpuId>& gpus, const Platform& platform) {
  if (!platform.hardware.nvls) return "no NVSwitch of " + platform.name + " adds up";
  const bool all = std::all_of(gpus.begin(), gpus.end(), [&](GpuId gpu) {
    return platform.gpus[gpu.index()].nvlink_up.valid();
  });
  return all ? "" : "not every GPU is on an NVSwitch";
}

std::string missing_sharp(const std::vector<GpuId>& gpus, const Platform& platform) {
  if (platform.hardware.sharp_trees == 0) return "no switch of " + platform.name + " adds up";
  const bool all = std::all_of(gpus.begin(), gpus.end(),
                               [&](GpuId gpu) { return platform.gpus[gpu.index()].nic.valid(); });
  return all ? "" : "not every GPU has a NIC";
}

}  // namespace

std::string missing_hardware(Offload offload, const std::vector<GpuId>& gpus,
                             const Platform& platform) {
  switch (offload) {
    case Offload::None:
      return "";
    case Offload::NvSwitch:
      return missing_nvls(gpus, platform);
    case Offload::Fabric:
      return missing_sharp(gpus, platform);
  }
  return "";
}

}  // namespace trainyard
