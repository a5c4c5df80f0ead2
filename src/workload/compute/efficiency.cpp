#include "workload/compute/efficiency.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/csv_table.hpp"
#include "platforms/gpus.hpp"

#include <algorithm>

namespace trainyard {

namespace {

const char* const kHeader =
    "gpu,gemm,gemm_fp8,attention,hbm,kernel_us,fill,label,range,loo_mean,loo_max,source";

// A start and end of 3 us: launch latency hidden by the stream, ramp-up and drain of a grid not.
Efficiency assumed(const char* gpu, double gemm, double gemm_fp8, double attention, double hbm) {
  Efficiency made;
  made.gpu = gpu;
  made.gemm = gemm;
  made.gemm_fp8 = gemm_fp8;
  made.attention = attention;
  made.hbm = hbm;
  made.kernel = microseconds(3);
  made.fill = 128;
  made.label = "assumed";
  made.range = "-";
  made.source = "assumed";
  return made;
}

// Large square GEMMs of cuBLAS and hipBLASLt, flash attention forward and backward together, and
// triad-like kernels, as they are commonly reported; Hopper and later run below their boost clock
// under such load, which these numbers contain.
std::vector<Efficiency> make_usual() {
  std::vector<Efficiency> rows = {
      assumed("V100", 0.75, 0, 0.35, 0.85),         assumed("A100", 0.83, 0, 0.58, 0.85),
      assumed("A100-40GB", 0.83, 0, 0.58, 0.85),    assumed("H100", 0.70, 0.60, 0.50, 0.85),
      assumed("H100-96GB", 0.60, 0.50, 0.45, 0.85), assumed("H200", 0.70, 0.60, 0.50, 0.85),
      assumed("GH200", 0.70, 0.60, 0.50, 0.85),     assumed("B200", 0.72, 0.62, 0.50, 0.85),
      assumed("GB200", 0.72, 0.62, 0.50, 0.85),     assumed("MI300X", 0.50, 0.42, 0.30, 0.78)};
  return rows;
}

Efficiency efficiency_of(const CsvRow& row) {
  Efficiency made;
  made.gpu = row.one_of("gpu", gpu_names());
  made.gemm = row.number("gemm", 1e-3, 1);
  made.gemm_fp8 = row.number("gemm_fp8", 0, 1);
  made.attention = row.number("attention", 1e-3, 1);
  made.hbm = row.number("hbm", 1e-3, 1);
  made.kernel = microseconds(row.number("kernel_us", 0, 1e6));
  made.fill = row.number("fill", 0, 1e6);
  made.label = row.one_of("label", {"assumed", "calibrated"});
  made.range = row.text("range");
  made.loo_mean = row.number("loo_mean", 0, 1e9);
  made.loo_max = row.number("loo_max", 0, 1e9);
  made.source = row.text("source");
  return made;
}

}  // namespace

const Efficiency& usual_efficiency(const std::string& gpu) {
  static const std::vector<Efficiency> rows = make_usual();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Efficiency& e) { return e.gpu == gpu; });
  if (found == rows.end())
    throw InputError({}, "gpu",
                     gpu.empty() ? "the platform does not name its GPU, so nothing says how fast "
                                   "it computes; its property 'gpu' does"
                                 : "unknown GPU '" + gpu + "'" + suggestion(gpu, gpu_names()));
  return *found;
}

std::string describe(const Efficiency& e) {
  const std::string fp8 = e.gemm_fp8 > 0 ? ", fp8 " + fixed(e.gemm_fp8, 3) : "";
  const std::string where = e.label == "calibrated" ? " (" + e.range + ")" : "";
  return e.gpu + " " + e.label + ": gemm " + fixed(e.gemm, 3) + fp8 + ", attention " +
         fixed(e.attention, 3) + ", hbm " + fixed(e.hbm, 3) + ", " +
         shortest(in_microseconds(e.kernel)) + " us a kernel" + where;
}

std::vector<Efficiency> read_efficiencies(const std::string& file) {
  std::vector<Efficiency> efficiencies;
  const CsvFile csv(file, kHeader);
  for (const CsvRow& row : csv.rows()) {
    efficiencies.push_back(efficiency_of(row));
    for (std::size_t i = 0; i + 1 < efficiencies.size(); ++i)
      if (efficiencies[i].gpu == efficiencies.back().gpu)
        throw row.error("gpu", "'" + efficiencies[i].gpu + "' is there twice");
  }
  return efficiencies;
}

std::string to_csv(const std::vector<Efficiency>& efficiencies) {
  std::string text = std::string(kHeader) + "\n";
  for (const Efficiency& e : efficiencies)
    text += join({e.gpu, fixed(e.gemm, 4), fixed(e.gemm_fp8, 4), fixed(e.attention, 4),
                  fixed(e.hbm, 4), fixed(in_microseconds(e.kernel), 3), fixed(e.fill, 1), e.label,
                  e.range, fixed(e.loo_mean, 4), fixed(e.loo_max, 4), e.source},
                 ",") +
            "\n";
  return text;
}

}  // namespace trainyard
