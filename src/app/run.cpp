// `trainyard run`: read the experiment, simulate it (or every point of its sweep), write it down,
// answer.

#include "app/commands.hpp"
#include "base/text.hpp"
#include "report/answer.hpp"
#include "report/progress.hpp"
#include "study/simulate.hpp"
#include "study/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>
#include <unistd.h>

namespace trainyard {

namespace {

Document load(const RunOptions& options) {
  Document document = Document::load(options.experiment);
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw InputError({"--set"}, setting, "must be key=value");
    document.set(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return document;
}

Experiment read(Document& document, const RunOptions& options, Simulation& simulation) {
  return read_experiment(document, options.experiment, [&simulation](const std::string& file) {
    return simulation.load_plain(file);
  });
}

std::string output_of(const RunOptions& options) {
  if (!options.output.empty()) return options.output;
  const auto folder = std::filesystem::absolute(options.experiment).parent_path().filename();
  return (std::filesystem::path("results") / folder).string();
}

// Simulates and writes one point. Returns its row of the answer.
AnswerRow run_point(Document& document, const RunOptions& options, const std::string& output,
                    bool live) {
  Simulation simulation;
  const Experiment experiment = read(document, options, simulation);
  WriteOptions write;
  write.replace = options.replace;
  write.timeline = experiment.timeline;
  check_destination(output, write);
  Progress progress(live, static_cast<std::int64_t>(experiment.jobs.size()));
  const EventLog log =
      simulate(experiment, simulation,
               [&progress](Seconds now, std::int64_t done) { progress.update(now, done); });
  progress.finish();
  write_results(experiment.platform, log,
                describe_run(experiment, log, simulation, document.resolved()), output, write);
  return {experiment.policy + " " + experiment.placement, metric_values(experiment.platform, log)};
}

int report_and_code(const std::function<void()>& work) {
  try {
    work();
    return 0;
  } catch (const Error& error) {
    std::cerr << "trainyard: " << error.what() << std::endl;
    return error.exit_code();
  } catch (const std::exception& error) {
    std::cerr << "trainyard: internal error: " << error.what() << std::endl;
    return 70;
  }
}

// Every point in a process of its own, because SimGrid's engine is one per process. All points or
// nothing.
int run_sweep(const RunOptions& options, const std::vector<SweepPoint>& points,
              const std::string& output, bool live) {
  namespace fs = std::filesystem;
  check_destination(output, {options.replace, true});
  const fs::path staging = output + ".partial-sweep";
  fs::remove_all(staging);
  const auto place = [&](std::size_t i) {
    return (staging / "runs" / points[i].directory(i)).string();
  };
  const int workers = options.workers > 0
                          ? options.workers
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  Progress progress(live, static_cast<std::int64_t>(points.size()));
  const auto work = [&](std::size_t i) {
    return report_and_code([&] {
      Document document = load(options);
      document.remove("sweep");
      for (const auto& [key, value] : points[i].settings) document.set(key, value);
      run_point(document, options, place(i), /*live=*/false);
    });
  };
  const int code = run_points(points.size(), workers, work, [&](std::size_t done) {
    progress.update(Seconds(0), static_cast<std::int64_t>(done));
  });
  progress.finish();
  if (code != 0) {
    fs::remove_all(staging);
    return code;
  }
  std::vector<AnswerRow> rows;
  for (std::size_t i = 0; i < points.size(); ++i)
    rows.push_back({points[i].label(), read_summary(place(i))});
  write_sweep_summary(rows, staging.string());
  fs::remove_all(output);
  fs::rename(staging, output);
  std::cout << answer_table(rows);
  return 0;
}

}  // namespace

int run_command(const RunOptions& options) {
  Document document = load(options);
  const std::vector<SweepPoint> points = take_sweep(document);
  const std::string output = output_of(options);
  const bool live = !options.quiet && isatty(STDERR_FILENO) != 0;
  const std::string question = document.root().text_or("question", "");
  if (!question.empty()) std::cout << question << '\n' << std::flush;
  if (!points.empty()) {
    const int code = run_sweep(options, points, output, live);
    if (code == 0) std::cout << "results: " << output << '\n';
    return code;
  }
  const AnswerRow row = run_point(document, options, output, live);
  std::cout << answer_table({row}) << "results: " << output << '\n';
  return 0;
}

int check_command(const RunOptions& options) {
  Document document = load(options);
  std::vector<SweepPoint> points = take_sweep(document);
  const std::size_t runs = std::max<std::size_t>(1, points.size());
  if (points.empty()) points.emplace_back();
  const auto check_point = [&](std::size_t i) {
    return report_and_code([&] {
      for (const auto& [key, value] : points[i].settings) document.set(key, value);
      Simulation simulation;
      const Experiment experiment = read(document, options, simulation);
      if (i > 0) return;
      std::cout << document.resolved() << "# " << experiment.jobs.size() << " jobs on "
                << experiment.platform.gpu_count() << " GPUs of " << experiment.platform.name
                << ", " << runs << (runs == 1 ? " run" : " runs") << std::endl;
    });
  };
  return run_points(runs, 1, check_point, [](std::size_t) {});
}

}  // namespace trainyard
