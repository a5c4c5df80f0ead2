// A user's own kernel times: what was measured on the GPU is used instead of its preset.
//
//   kind,precision,batch,m,n,k,flops,bytes,time
//   gemm,bf16,1,8192,6144,12288,,,4.71 ms
//   attention,bf16,,,,,1.1e12,6.7e7,3.9 ms
//   memory,bf16,,,,,,4.0e8,240 us
//
// How a kernel that is not there is derived from those of its kind and precision:
//   gemm       the measured shape nearest in log2 of batch x m, n and k; its FLOP/s are kept.
//              Within a factor of 2 in each: interpolated; beyond: outside
//   attention  along log(FLOPs), log-linear between its two neighbours
//   memory     along log(bytes), likewise
//   beyond the measured range, the nearest one's rate is kept: outside
// A kind and precision without any row is the preset's: not measured.
#pragma once

#include "workload/compute/preset_times.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct ProfiledKernel {
  Kernel kernel;
  Seconds time;
};

// Throws InputError with file, line and column.
std::vector<ProfiledKernel> read_profile(const std::string& file);

class ProfileTimes final : public KernelTimes {
public:
  enum class Coverage { Measured, Interpolated, Outside, NotMeasured };
  struct Answer {
    Seconds time;
    Coverage coverage = Coverage::NotMeasured;
  };

  ProfileTimes(std::vector<ProfiledKernel> profile, PresetTimes preset)
      : profile_(std::move(profile)), preset_(std::move(preset)) {}

  Seconds of(const Kernel& kernel) const override { return ask(kernel).time; }
  Answer ask(const Kernel& kernel) const;

private:
  std::vector<const ProfiledKernel*> alike(const Kernel& kernel) const;
  std::vector<ProfiledKernel> profile_;
  PresetTimes preset_;
};

const char* to_string(ProfileTimes::Coverage coverage);

}  // namespace trainyard
