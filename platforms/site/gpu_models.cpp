#include "platforms/site/gpu_models.hpp"

#include <algorithm>

namespace trainyard {

namespace {

// NCCL 2.2x, src/graph/topo.h (SM60_NVLINK_BW and so on); the first row at or below the SM holds.
struct NvlinkRate {
  int from_sm;
  double gigabytes_per_second;
};
constexpr NvlinkRate kNvlinkRates[] = {{100, 40.1}, {90, 20.6}, {87, 20.0}, {86, 12.0},
                                       {80, 20.0},  {70, 20.0}, {60, 18.0}};

}  // namespace

const std::vector<GpuModel>& gpu_models() {
  // Links of one GPU: NVIDIA's data sheets.
  static const std::vector<GpuModel> models = {
      {"p100", 60, 4, ""},         {"v100", 70, 6, "V100"},  {"a100", 80, 12, "A100"},
      {"h100", 90, 18, "H100"},    {"h200", 90, 18, "H200"}, {"b200", 100, 18, "B200"},
      {"gb200", 100, 18, "GB200"}, {"a10g", 86, 0, ""},      {"l40s", 89, 0, ""},
  };
  return models;
}

const GpuModel* find_gpu_model(const std::string& name) {
  const auto found = std::find_if(gpu_models().begin(), gpu_models().end(),
                                  [&](const GpuModel& model) { return name == model.name; });
  return found == gpu_models().end() ? nullptr : &*found;
}

Bandwidth nvlink_rate(int sm) {
  for (const NvlinkRate& rate : kNvlinkRates)
    if (sm >= rate.from_sm) return gigabytes_per_second(rate.gigabytes_per_second);
  return {};
}

}  // namespace trainyard
