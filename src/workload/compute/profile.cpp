#include "workload/compute/profile.hpp"

#include "config/csv_table.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

using Coverage = ProfileTimes::Coverage;
using Answer = ProfileTimes::Answer;

double gemm_flops(const Kernel& k) {
  return 2.0 * static_cast<double>(k.batch) * static_cast<double>(k.m) * static_cast<double>(k.n) *
         static_cast<double>(k.k);
}

// The largest of the factors between two shapes, as a power of two.
double distance(const Kernel& a, const Kernel& b) {
  const auto apart = [](std::int64_t x, std::int64_t y) {
    return std::abs(std::log2(static_cast<double>(x) / static_cast<double>(y)));
  };
  return std::max({apart(a.batch * a.m, b.batch * b.m), apart(a.n, b.n), apart(a.k, b.k)});
}

Answer nearest_gemm(const Kernel& kernel, const std::vector<const ProfiledKernel*>& rows) {
  const ProfiledKernel& near =
      **std::min_element(rows.begin(), rows.end(), [&](const auto* a, const auto* b) {
        return distance(kernel, a->kernel) < distance(kernel, b->kernel);
      });
  const double apart = distance(kernel, near.kernel);
  const Seconds time = near.time * (gemm_flops(kernel) / gemm_flops(near.kernel));
  if (apart == 0) return {time, Coverage::Measured};
  return {time, apart <= 1 ? Coverage::Interpolated : Coverage::Outside};
}

double work_of(const Kernel& kernel) {
  return kernel.kind == Kernel::Kind::Attention ? kernel.flops : kernel.bytes;
}

Answer along(const Kernel& kernel, std::vector<const ProfiledKernel*> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    return work_of(a->kernel) < work_of(b->kernel);
  });
  const double work = work_of(kernel);
  const auto above = std::find_if(rows.begin(), rows.end(), [&](const ProfiledKernel* row) {
    return work_of(row->kernel) >= work;
  });
  if (above != rows.end() && work_of((*above)->kernel) == work)
    return {(*above)->time, Coverage::Measured};
  if (above == rows.begin() || above == rows.end()) {
    const ProfiledKernel& end = above == rows.begin() ? *rows.front() : *rows.back();
    return {end.time * (work / work_of(end.kernel)), Coverage::Outside};
  }
  const ProfiledKernel& low = **(above - 1);
  const ProfiledKernel& high = **above;
  const double share =
      std::log(work / work_of(low.kernel)) / std::log(work_of(high.kernel) / work_of(low.kernel));
  return {low.time * std::pow(high.time / low.time, share), Coverage::Interpolated};
}

}  // namespace

std::vector<const ProfiledKernel*> ProfileTimes::alike(const Kernel& kernel) const {
  std::vector<const ProfiledKernel*> rows;
  for (const ProfiledKernel& row : profile_)
    if (row.kernel.kind == kernel.kind && row.kernel.precision == kernel.precision)
      rows.push_back(&row);
  return rows;
}

Answer ProfileTimes::ask(const Kernel& kernel) const {
  const std::vector<const ProfiledKernel*> rows = alike(kernel);
  if (rows.empty()) return {preset_.of(kernel), Coverage::NotMeasured};
  return kernel.kind == Kernel::Kind::Gemm ? nearest_gemm(kernel, rows) : along(kernel, rows);
}

const char* to_string(Coverage coverage) {
  switch (coverage) {
    case Coverage::Measured:
      return "measured";
    case Coverage::Interpolated:
      return "interpolated";
    case Coverage::Outside:
      return "outside range";
    case Coverage::NotMeasured:
      return "not measured";
  }
  return "";
}

}  // namespace trainyard
