// A Kernel: one thing a GPU is asked to compute, in the terms that decide how long it takes.
//
// Plans say which kernels a step is made of; a KernelTimes (a GPU's preset with its efficiency, or
// a user's profile) says how long each takes. A plan knows no GPU, a preset no model.
#pragma once

#include "base/quantity.hpp"

#include <cstdint>
#include <vector>

namespace trainyard {

enum class Precision { Fp32, Tf32, Bf16, Fp8 };  // Bf16 stands for fp16 too: equally fast

struct Kernel {
  enum class Kind {
    Gemm,       // batch x (m x k) times (k x n)
    Attention,  // fused (flash) attention: flops and bytes say all
    Memory      // elementwise, norms, softmax, optimizer: bound by HBM
  };
  Kind kind = Kind::Memory;
  Precision precision = Precision::Bf16;
  std::int64_t batch = 1, m = 0, n = 0, k = 0;  // Gemm
  double flops = 0;                             // a multiply and an add are two
  double bytes = 0;                             // read from and written to HBM
};

class KernelTimes {
public:
  virtual ~KernelTimes() = default;
  virtual Seconds of(const Kernel& kernel) const = 0;
};

}  // namespace trainyard
