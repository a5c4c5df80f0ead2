// The tensor groups of a job, on the GPUs it was given: which of them are alike.
//
// Units are alike when their GPUs are equally fast, and their NVLinks have the same speed and serve
// the same other collectives equally: then all of them fare the same in every step.
#pragma once

#include "actors/machine.hpp"
#include "actors/step_model.hpp"

#include <cstdint>
#include <vector>

namespace trainyard {

class TensorUnits {
public:
  // Consecutive GPUs, `tensor` of them a unit. The GPUs and the machine must outlive it.
  TensorUnits(const std::vector<GpuId>& gpus, int tensor, const Machine& machine);

  int count() const { return static_cast<int>(gpus_.size()) / tensor_; }
  std::vector<GpuId> gpus(int unit) const;
  double slowdown(int rank) const;

  // A data or world collective, which meets the tensor collectives on NVLinks. All of them first.
  void note_other_traffic(const Channel& channel);

  std::vector<std::vector<int>> alike() const;  // those of equal GPUs, in classes
  std::vector<int> unequal() const;             // those with GPUs of several speeds
  // Whether a tensor collective crosses only NVLinks that no other collective of the job uses.
  bool has_its_links_to_itself(const Channel& channel) const;

private:
  bool equal_speed(int unit) const;
  std::vector<double> signature(int unit) const;
  void note_load(LinkId link, double bytes);

  const std::vector<GpuId>& gpus_;
  const int tensor_;
  const Machine& machine_;
  // Of data and world collectives, by LinkId; empty if tensor is 1.
  std::vector<double> other_bytes_;
  std::vector<std::uint64_t> other_loads_;  // which channels, and how many bytes of each: a hash
  std::uint64_t others_ = 0;                // channels noted
};

}  // namespace trainyard
