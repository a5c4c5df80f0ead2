#include "app/points.hpp"

#include "app/experiment_file.hpp"
#include "study/child_runs.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>

namespace trainyard {

namespace {

int workers_of(const RunOptions& options) {
  if (options.workers > 0) return options.workers;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

void show_progress(std::size_t done, std::size_t of) {
  std::fprintf(stderr, "\rruns %zu/%zu%s", done, of, done == of ? "\n" : "");
  std::fflush(stderr);
}

}  // namespace

void for_each_piece(const RunOptions& options, const std::vector<std::string>& names, bool live,
                    const PieceWork& work) {
  const auto done = [&](std::size_t count) {
    if (live) show_progress(count, names.size());
  };
  run_children({names, work, done}, workers_of(options));
}

void for_each_point(Document& document, const RunOptions& options,
                    const std::vector<SweepPoint>& points, bool live, const PieceWork& work) {
  std::vector<std::string> names;
  names.reserve(points.size());
  for (const SweepPoint& point : points) names.push_back("sweep point " + point.label());
  for_each_piece(options, names, live, [&](std::size_t point) {
    settle(document, points[point]);  // the child's: the parent keeps its own
    work(point);
  });
}

void check_points(Document& document, const RunOptions& options,
                  const std::vector<SweepPoint>& points) {
  for_each_point(document, options, points, /*live=*/false, [&](std::size_t) {
    Simulation simulation;
    read(document, options, simulation);
  });
}

}  // namespace trainyard
