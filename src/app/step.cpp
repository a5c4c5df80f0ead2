// `trainyard step`: one step of a job, explained.

#include "app/commands.hpp"
#include "app/experiment_file.hpp"
#include "app/points.hpp"
#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "report/table.hpp"
#include "study/simulate.hpp"
#include "study/steps/step_study.hpp"
#include "study/sweep.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace trainyard {

namespace {

constexpr std::size_t kMostBlamed = 5;

std::string milliseconds_of(double seconds) { return fixed(1e3 * seconds, 3); }
std::string share_of(double part, double whole) { return fixed(100 * part / whole, 2) + " %"; }

// From the ideal step to the real one, cause by cause.
void print_waterfall(const StepStudy& study, std::ostream& out) {
  Table table({{"", Align::Left}, {"ms", Align::Right}, {"of the step", Align::Right}});
  const auto row = [&](const std::string& name, double seconds) {
    if (seconds != 0) table.add({name, milliseconds_of(seconds), share_of(seconds, study.step())});
  };
  for (std::size_t s = 0; s < kSpentKinds; ++s) {
    const auto spent = static_cast<Spent>(s);
    const bool exposed = spent >= Spent::Tensor && spent <= Spent::Other;
    row(spent == Spent::Wait ? "bubble and waiting"
                             : (exposed ? "exposed " : "") + std::string(to_string(spent)),
        study.ideal.spent[s]);
  }
  row("fabric", in_seconds(study.costs.fabric));
  row("slow GPU " + study.costs.slow_gpu_name, in_seconds(study.costs.slow_gpu));
  row("slow link " + study.costs.slow_link_name, in_seconds(study.costs.slow_link));
  row("variation", in_seconds(study.costs.variation));
  double sum = study.ideal.step();
  for (const Seconds cause :
       {study.costs.fabric, study.costs.slow_gpu, study.costs.slow_link, study.costs.variation})
    sum += in_seconds(cause);
  row("unattributed", std::abs(study.step() - sum) < 1e-9 * study.step() ? 0 : study.step() - sum);
  row("step", study.step());
  out << table.text();
}

void print_blamed(const std::string& title, const std::vector<StepStudy::Blamed>& blamed,
                  std::ostream& out) {
  if (blamed.empty()) return;
  out << '\n' << title << '\n';
  Table table({{"who", Align::Left}, {"ms", Align::Right}});
  for (std::size_t i = 0; i < std::min(blamed.size(), kMostBlamed); ++i)
    table.add({blamed[i].rank, milliseconds_of(blamed[i].seconds)});
  out << table.text();
}

void print_study(const StepStudy& study, std::ostream& out) {
  out << study.job << ": " << study.gpus << " GPUs, a step takes " << milliseconds_of(study.step())
      << " ms";
  if (study.flops > 0)
    out << ", " << fixed(study.flops / study.step() / study.gpus / 1e12, 1) << " TFLOP/s a GPU";
  out << " (" << study.model.classes.size() << " classes of ranks)\n\n";
  print_waterfall(study, out);
  print_blamed("the critical path goes through", study.on_path, out);
  print_blamed("the others wait for, all ranks and one step together", study.waited_for, out);
  out << "\nwithout slow GPUs " << milliseconds_of(study.without_stragglers)
      << " ms; on an ideal network " << milliseconds_of(study.on_ideal_network)
      << " ms; if overlap cost nothing " << milliseconds_of(study.without_overlap_cost) << " ms\n";
}

}  // namespace

namespace {

// Files that would not be written, or would overwrite each other or the question itself.
void check_outputs(const StepOptions& options, bool is_sweep) {
  if (is_sweep && !(options.json.empty() && options.timeline.empty()))
    throw InputError({}, options.json.empty() ? "--timeline" : "--json",
                     "explains one step; of a sweep there is --csv");
  if (!is_sweep && !options.csv.empty())
    throw InputError({}, "--csv", "is the table of a sweep; of one step there is --json");
  if (!options.json.empty() && options.json == options.timeline)
    throw InputError({}, "--timeline", "'" + options.json + "' is where --json goes");
  for (const std::string& file : {options.json, options.timeline, options.csv})
    if (!file.empty() && std::filesystem::exists(file) &&
        std::filesystem::equivalent(file, options.run.experiment))
      throw InputError({}, file, "is the experiment itself");
}

}  // namespace

void step_command(const StepOptions& options) {
  Document document = load_document(options.run);
  const std::vector<SweepPoint> points = take_sweep(document);
  check_outputs(options, !points.empty());
  if (!points.empty()) return step_sweep(document, options, points);
  Simulation simulation;
  const Experiment experiment = read(document, options.run, simulation);
  const auto routing = make_routing(experiment, simulation);
  const StepStudy study = study_step(experiment, *routing, options.job);
  const auto write = [](const std::string& file, const std::string& text) {
    if (!file.empty()) write_file_whole(file, [&](std::ostream& out) { out << text; });
  };
  write(options.json, step_json(study));
  write(options.timeline, step_timeline_json(study));
  print_study(study, std::cout);
}

}  // namespace trainyard
