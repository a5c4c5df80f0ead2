// A rank's profile as PyTorch's profiler (Kineto) writes it: kernels of the GPU, when the CPU
// launched each, and the steps that were marked. Times are microseconds of the profile's clock.
#pragma once

#include "collectives/collective.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

// What NCCL was asked for, as PyTorch notes it beside the kernel.
struct KinetoCollective {
  std::string name;  // PyTorch's: "allreduce", "_allgather_base" ...
  std::string dtype;
  std::optional<std::int64_t> in_elements, out_elements;
  std::string group;  // its name
  std::string ranks;  // "[0, 1]", at times shortened or absent
  std::optional<std::int64_t> group_size;
  std::optional<std::int64_t> from, to;  // of a receive, of a send: ranks within the group
};

struct KinetoKernel {
  std::string name;
  std::int64_t event = 0;
  std::int64_t device = 0, stream = 0;
  double start_us = 0, duration_us = 0;
  double launched_us = 0;  // by the CPU; its own start if the profile does not say
  std::optional<KinetoCollective> collective;  // of NCCL's kernels

  double end_us() const { return start_us + duration_us; }
  bool is_nccl() const { return name.compare(0, 4, "nccl") == 0; }
};

struct KinetoStep {
  std::int64_t number = 0;
  double start_us = 0, end_us = 0;  // on the CPU
};

struct KinetoProfile {
  std::string file;
  std::optional<std::int64_t> rank, world;
  std::map<std::string, std::vector<int>> groups;  // by name, where the profile lists them
  std::vector<KinetoKernel> kernels;               // by start
  std::vector<KinetoStep> steps;                   // by number
};

// An event without what its kind must have, or with a time below 0, is an InputError that names it.
KinetoProfile read_kineto_profile(const std::string& file);

// The kernels that the CPU launched in the step.
std::vector<KinetoKernel> kernels_of(const KinetoProfile& profile, const KinetoStep& step);

}  // namespace trainyard
