#include "config/csv_table.hpp"
#include "workload/compute/profile.hpp"

namespace trainyard {

namespace {

Kernel::Kind kind_of(const CsvRow& row) {
  const std::string& word = row.one_of("kind", {"gemm", "attention", "memory"});
  if (word == "gemm") return Kernel::Kind::Gemm;
  return word == "attention" ? Kernel::Kind::Attention : Kernel::Kind::Memory;
}

Precision precision_of(const CsvRow& row) {
  const std::string& word = row.one_of("precision", {"fp32", "tf32", "bf16", "fp16", "fp8"});
  if (word == "fp32") return Precision::Fp32;
  if (word == "tf32") return Precision::Tf32;
  return word == "fp8" ? Precision::Fp8 : Precision::Bf16;
}

constexpr double kMostWork = 1e24;  // FLOPs or bytes

// A cell that this kind has no use for must be empty: it would look as if it counted.
void refuse(const CsvRow& row, const std::vector<std::string>& columns) {
  for (const std::string& column : columns)
    if (!row.empty(column))
      throw row.error(column, "must be empty for kind '" + row.text("kind") + "'");
}

ProfiledKernel kernel_of(const CsvRow& row) {
  ProfiledKernel made;
  Kernel& kernel = made.kernel;
  kernel.kind = kind_of(row);
  kernel.precision = precision_of(row);
  if (kernel.kind == Kernel::Kind::Gemm) {
    refuse(row, {"flops", "bytes"});
    kernel.batch = row.empty("batch") ? 1 : row.integer("batch", 1);
    kernel.m = row.integer("m", 1);
    kernel.n = row.integer("n", 1);
    kernel.k = row.integer("k", 1);
  } else {
    refuse(row, {"batch", "m", "n", "k"});
    const bool attention = kernel.kind == Kernel::Kind::Attention;
    if (!attention) refuse(row, {"flops"});
    if (attention) kernel.flops = row.number("flops", 1, kMostWork);
    if (!attention || !row.empty("bytes")) kernel.bytes = row.number("bytes", 1, kMostWork);
  }
  made.time = row.seconds("time");
  return made;
}

}  // namespace

std::vector<ProfiledKernel> read_profile(const std::string& file) {
  std::vector<ProfiledKernel> profile;
  const CsvFile csv(file, "kind,precision,batch,m,n,k,flops,bytes,time");
  for (const CsvRow& row : csv.rows()) profile.push_back(kernel_of(row));
  return profile;
}

}  // namespace trainyard
