// Work: kernels with nothing between them, and how long a GPU takes over them.
//
// A Block is a stretch of a layer between two norms: attention, an MLP, experts, or the model's
// head. All have the same five parts; what differs is what is communicated between them.
#pragma once

#include "workload/steps/kernel.hpp"

#include <vector>

namespace trainyard {

struct Work {
  Seconds duration;
  double flops = 0;
  double bytes = 0;
  Work& operator+=(const Work& other);
};
Work operator+(Work a, const Work& b);
Work operator/(Work whole, int parts);
Work operator*(Work part, int times);

// Kernels of no flops and no bytes take no time.
Work work(const std::vector<Kernel>& kernels, const KernelTimes& times);

struct Part {
  Work forward;
  Work inputs;   // backward: the gradient of what came in
  Work weights;  // backward: the gradient of the weights, if it can be had apart
};

struct Block {
  Part before;  // norm; of experts: the router, too
  Part in;      // column-parallel matrices: queries, keys, values; the MLP's way up
  Part middle;  // attention's core; the activation; the head's loss
  Part out;     // row-parallel matrices
  Part after;   // bias, dropout, residual
};

// ---- Kernels ----

// (m x k) times (k x n), `batch` times.
struct Gemm {
  std::int64_t m, n, k;
  std::int64_t batch = 1;
  Precision precision = Precision::Bf16;
};
Kernel kernel(const Gemm& gemm);
Kernel memory_kernel(double bytes);  // reads and writes as many bytes in all
Kernel attention_kernel(double flops, double bytes);

// Y = X W: what it is to compute Y, the gradient of X, and that of W.
struct Linear {
  Kernel forward, inputs, weights;
};
Linear linear(const Gemm& gemm);

}  // namespace trainyard
