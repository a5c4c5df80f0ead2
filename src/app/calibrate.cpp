// `trainyard calibrate`: from nccl-tests logs to the file that a platform names.

#include "study/validation/calibrate.hpp"

#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "config/units.hpp"
#include "platforms/xml.hpp"
#include "report/table.hpp"
#include "study/validation/collective_timer.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace trainyard {

namespace {

// "FILE" or "FILE@LINE": of several sweeps, the one whose first row is there.
struct LogChoice {
  std::string file;
  int line = 0;  // 0: all
};

LogChoice choice_of(const std::string& named) {
  const std::size_t at = named.rfind('@');
  const auto line = at == std::string::npos ? std::nullopt : parse_integer(named.substr(at + 1));
  if (!line || *line <= 0 || *line > 1'000'000'000) return {named, 0};
  return {named.substr(0, at), static_cast<int>(*line)};
}

std::vector<NcclSweep> read_sweeps(const CalibrateOptions& options) {
  std::vector<NcclSweep> sweeps;
  for (const std::string& named : options.logs) {
    const LogChoice choice = choice_of(named);
    NcclLog log = read_nccl_log(choice.file);
    for (const std::string& warning : log.warnings) std::cerr << warning << '\n';
    std::size_t taken = 0;
    for (NcclSweep& sweep : log.sweeps) {
      if (choice.line > 0 && sweep.line != choice.line) continue;
      ++taken;
      settle(sweep, options.ranks, options.nodes);
      sweeps.push_back(std::move(sweep));
    }
    if (taken == 0)
      throw InputError({choice.file}, "",
                       "holds no sweep whose first row is line " + std::to_string(choice.line));
  }
  return sweeps;
}

// Measured on one GPU, a law is none of another: "NVIDIA H100 80GB HBM3" is an "H100".
void check_gpu(const NcclSweep& sweep, const Platform& platform) {
  const std::string& stated = platform.hardware.gpu;
  if (sweep.gpu.empty() || stated.empty()) return;
  const std::string model = gpu_model_in(sweep.gpu);
  if (!model.empty() && (stated == model || stated.rfind(model + "-", 0) == 0)) return;
  throw InfeasibleError({sweep.file, sweep.line}, "",
                        "was measured on '" + sweep.gpu + "', and the GPU of platform '" +
                            platform.name + "' is " + stated);
}

double error_of(const CalibrationPoint& point) {
  return point.fitted_s / in_seconds(point.sample.measured) - 1;
}

void print_points(std::vector<CalibrationPoint> points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const CalibrationPoint& a, const CalibrationPoint& b) {
                     return std::abs(error_of(a)) > std::abs(error_of(b));
                   });
  Table table({{"collective", Align::Left},
               {"algorithm", Align::Left},
               {"ranks", Align::Right},
               {"nodes", Align::Right},
               {"size", Align::Right},
               {"measured us", Align::Right},
               {"fitted us", Align::Right},
               {"error %", Align::Right},
               {"", Align::Left}});
  for (const CalibrationPoint& point : points)
    table.add({to_string(point.kind), point.algorithm, std::to_string(point.sample.ranks),
               std::to_string(point.sample.nodes), to_text(point.sample.size),
               fixed(in_microseconds(point.sample.measured), 1), fixed(point.fitted_s * 1e6, 1),
               fixed(100 * error_of(point), 1), point.held_out ? "held out" : ""});
  std::cout << table.text() << '\n';
}

void print_laws(const Calibration& calibration) {
  Table table({{"collective", Align::Left},
               {"algorithm", Align::Left},
               {"nodes", Align::Right},
               {"sizes", Align::Left},
               {"base us", Align::Right},
               {"step us", Align::Right},
               {"fill us", Align::Right},
               {"efficiency", Align::Right},
               {"left out: mean %", Align::Right},
               {"max %", Align::Right}});
  for (const CollectiveLaw& law : calibration.laws) {
    const std::string nodes =
        law.nodes_from == law.nodes_to
            ? std::to_string(law.nodes_from)
            : std::to_string(law.nodes_from) + "-" + std::to_string(law.nodes_to);
    table.add({to_string(law.kind), law.algorithm, nodes,
               to_text(law.from) + " to " + to_text(law.to), fixed(in_microseconds(law.base), 2),
               fixed(in_microseconds(law.per_step), 2), fixed(in_microseconds(law.fill), 2),
               fixed(law.efficiency, 3), fixed(100 * law.loo_mean, 1),
               fixed(100 * law.loo_max, 1)});
  }
  std::cout << table.text()
            << "\nOUTSIDE these nodes and sizes a law is an extrapolation, and results say so.\n";
}

}  // namespace

void calibrate_command(const CalibrateOptions& options) {
  if (options.logs.empty())
    throw InputError({}, "", "give logs of nccl-tests and --platform, or --steps FILE");
  if (options.platform.empty()) throw InputError({}, "--platform", "is required with logs");
  const Platform platform = load_platform(options.platform);
  const std::vector<NcclSweep> sweeps = read_sweeps(options);
  for (const NcclSweep& sweep : sweeps) check_gpu(sweep, platform);
  const auto routing = make_routing(platform, routing_alone(platform));
  const CalibrationResult result = calibrate(
      sweeps, platform, *routing, options.every_other ? FitSizes::EveryOther : FitSizes::All);
  for (const std::string& warning : result.warnings) std::cerr << warning << '\n';
  if (result.calibration.laws.empty())
    throw InputError({}, "logs", "hold too few sizes to fit any law");
  if (!options.output.empty())
    write_file_whole(options.output, [&](std::ostream& out) { out << to_csv(result.calibration); });
  print_points(result.points);
  print_laws(result.calibration);
  if (options.output.empty()) return;
  std::cout << "written to " << options.output
            << "; the platform names it by its property 'calibration'\n";
}

}  // namespace trainyard
