#include "workload/steps/kernels/work.hpp"

namespace trainyard {

namespace {

double element_bytes(Precision precision) {
  switch (precision) {
    case Precision::Fp8:
      return 1;
    case Precision::Bf16:
      return 2;
    case Precision::Fp32:
    case Precision::Tf32:
      return 4;
  }
  return 2;
}

}  // namespace

Work& Work::operator+=(const Work& other) {
  duration += other.duration;
  flops += other.flops;
  bytes += other.bytes;
  return *this;
}

Work operator+(Work a, const Work& b) { return a += b; }

Work operator/(Work whole, int parts) {
  return {whole.duration / parts, whole.flops / parts, whole.bytes / parts};
}

Work operator*(Work part, int times) {
  return {part.duration * times, part.flops * times, part.bytes * times};
}

Work work(const std::vector<Kernel>& kernels, const KernelTimes& times) {
  Work sum;
  for (const Kernel& each : kernels)
    if (each.flops > 0 || each.bytes > 0) sum += {times.of(each), each.flops, each.bytes};
  return sum;
}

Kernel kernel(const Gemm& gemm) {
  Kernel result;
  result.kind = Kernel::Kind::Gemm;
  result.precision = gemm.precision;
  result.batch = gemm.batch;
  result.m = gemm.m;
  result.n = gemm.n;
  result.k = gemm.k;
  const auto m = static_cast<double>(gemm.m);
  const auto n = static_cast<double>(gemm.n);
  const auto k = static_cast<double>(gemm.k);
  const auto batch = static_cast<double>(gemm.batch);
  result.flops = 2 * batch * m * n * k;
  // What is multiplied is read in its own precision; what comes out is written in 16 bits.
  const double in = element_bytes(gemm.precision);
  result.bytes = batch * (in * (m * k + k * n) + 2 * m * n);
  return result;
}

Kernel memory_kernel(double bytes) {
  Kernel result;
  result.kind = Kernel::Kind::Memory;
  result.bytes = bytes;
  return result;
}

Kernel attention_kernel(double flops, double bytes) {
  Kernel result;
  result.kind = Kernel::Kind::Attention;
  result.flops = flops;
  result.bytes = bytes;
  return result;
}

Linear linear(const Gemm& gemm) {
  Gemm inputs = gemm;
  inputs.n = gemm.k;
  inputs.k = gemm.n;
  Gemm weights = gemm;
  weights.m = gemm.k;
  weights.k = gemm.m;
  return {kernel(gemm), kernel(inputs), kernel(weights)};
}

}  // namespace trainyard
