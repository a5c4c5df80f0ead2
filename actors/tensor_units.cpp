#include "actors/tensor_units.hpp"

#include "base/rng.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace trainyard {

TensorUnits::TensorUnits(const std::vector<GpuId>& gpus, int tensor, const Machine& machine)
    : gpus_(gpus), tensor_(tensor), machine_(machine) {
  if (tensor_ == 1) return;
  other_bytes_.resize(machine.platform->links.size());
  other_loads_.resize(machine.platform->links.size());
}

std::vector<GpuId> TensorUnits::gpus(int unit) const {
  const auto first = gpus_.begin() + std::ptrdiff_t{unit} * tensor_;
  return {first, first + tensor_};
}

double TensorUnits::slowdown(int rank) const {
  return machine_.gpu_slowdown[gpus_[static_cast<std::size_t>(rank)].index()];
}

void TensorUnits::note_other_traffic(const Channel& channel) {
  if (tensor_ == 1) return;
  ++others_;
  for (const auto& group : channel.groups)
    for (const Demand& demand : group->demands) note_load(demand.link, demand.load * group->length);
}

void TensorUnits::note_load(LinkId link, double bytes) {
  other_bytes_[link.index()] += bytes;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &bytes, sizeof bits);
  std::uint64_t& loads = other_loads_[link.index()];
  loads = mix(mix(loads ^ others_) ^ bits);
}

bool TensorUnits::equal_speed(int unit) const {
  for (int i = 1; i < tensor_; ++i)
    if (slowdown(unit * tensor_ + i) != slowdown(unit * tensor_)) return false;
  return true;
}

// What decides how a unit fares: the speed of its GPUs, and of its NVLinks what is left for it: not
// only how many bytes, but of which channels, which may come at different times.
std::vector<double> TensorUnits::signature(int unit) const {
  std::vector<double> values = {slowdown(unit * tensor_)};
  if (tensor_ == 1) return values;
  if (!machine_.platform->nvlink_pairs.empty())  // the mesh between them decides their rings
    for (const GpuId from : gpus(unit))
      for (const GpuId to : gpus(unit))
        values.push_back(in_bytes_per_second(nvlink_bandwidth(*machine_.platform, from, to)));
  for (const GpuId gpu : gpus(unit)) {
    const Gpu& data = machine_.platform->gpus[gpu.index()];
    for (const LinkId link : {data.nvlink_up, data.nvlink_down}) {
      values.push_back(link.valid() ? machine_.capacities[link.index()] : 0);
      values.push_back(link.valid() ? static_cast<double>(other_loads_[link.index()] >> 12U) : 0);
    }
  }
  return values;
}

std::vector<std::vector<int>> TensorUnits::alike() const {
  std::map<std::vector<double>, std::vector<int>> by_signature;
  for (int unit = 0; unit < count(); ++unit)
    if (equal_speed(unit)) by_signature[signature(unit)].push_back(unit);
  std::vector<std::vector<int>> classes;
  classes.reserve(by_signature.size());
  for (auto& [values, units] : by_signature) classes.push_back(std::move(units));
  std::sort(classes.begin(), classes.end());
  return classes;
}

std::vector<int> TensorUnits::unequal() const {
  std::vector<int> result;
  for (int unit = 0; unit < count(); ++unit)
    if (!equal_speed(unit)) result.push_back(unit);
  return result;
}

bool TensorUnits::has_its_links_to_itself(const Channel& channel) const {
  for (const auto& group : channel.groups)
    for (const Demand& demand : group->demands)
      if (machine_.platform->links[demand.link.index()].link_class != LinkClass::NvLink ||
          other_bytes_[demand.link.index()] > 0)
        return false;
  return true;
}

}  // namespace trainyard
