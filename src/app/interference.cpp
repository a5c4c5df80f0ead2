// `trainyard interference`: who slows whom, by how much, through which link.

#include "study/interference.hpp"

#include "app/commands.hpp"
#include "app/experiment_file.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "report/table.hpp"
#include "study/simulate.hpp"
#include "study/sweep.hpp"

#include <algorithm>
#include <iostream>

namespace trainyard {

namespace {

constexpr std::size_t kWidestMatrix = 10;  // jobs; more are a list of the worst pairs
constexpr std::size_t kLongestList = 20;

std::string percent(double slowdown) { return fixed(100 * slowdown, 1) + " %"; }

std::string milliseconds_of(Seconds time) { return fixed(1e3 * in_seconds(time), 3) + " ms"; }

void print_matrix(const Interference& result) {
  std::vector<Column> columns = {
      {"job", Align::Left}, {"GPUs", Align::Right}, {"step alone", Align::Right}};
  for (const Interference::PlacedJob& rival : result.jobs)
    columns.push_back({"beside " + rival.name, Align::Right});
  columns.push_back({"beside all", Align::Right});
  Table table(columns);
  for (std::size_t job = 0; job < result.jobs.size(); ++job) {
    const Interference::PlacedJob& row = result.jobs[job];
    std::vector<std::string> cells = {row.name, std::to_string(row.gpus),
                                      milliseconds_of(row.alone)};
    for (std::size_t rival = 0; rival < result.jobs.size(); ++rival)
      cells.push_back(rival == job ? "-" : percent(result.effects[job][rival].slowdown));
    cells.push_back(percent(row.together / row.alone - 1));
    table.add(cells);
  }
  std::cout << table.text();
}

struct Pair {
  std::size_t job, rival;
};

std::vector<Pair> worst_pairs(const Interference& result) {
  std::vector<Pair> pairs;
  const auto slowdown = [&](const Pair& p) { return result.effects[p.job][p.rival].slowdown; };
  for (std::size_t job = 0; job < result.jobs.size(); ++job)
    for (std::size_t rival = 0; rival < result.jobs.size(); ++rival)
      if (!result.effects[job][rival].link.empty()) pairs.push_back({job, rival});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const Pair& a, const Pair& b) { return slowdown(a) > slowdown(b); });
  return pairs;
}

void print_pairs(const Interference& result) {
  const std::vector<Pair> pairs = worst_pairs(result);
  if (pairs.empty()) {
    std::cout << "no job slows another\n";
    return;
  }
  Table table({{"job", Align::Left},
               {"is slowed by", Align::Left},
               {"by", Align::Right},
               {"mostly on", Align::Left}});
  for (std::size_t i = 0; i < std::min(pairs.size(), kLongestList); ++i) {
    const Interference::Effect& effect = result.effects[pairs[i].job][pairs[i].rival];
    table.add({result.jobs[pairs[i].job].name, result.jobs[pairs[i].rival].name,
               percent(effect.slowdown), effect.link});
  }
  std::cout << '\n' << table.text();
  if (pairs.size() > kLongestList)
    std::cout << "and " << pairs.size() - kLongestList << " pairs that slow each other less\n";
}

}  // namespace

void interference_command(const RunOptions& options) {
  Document document = load_document(options);
  const std::vector<SweepPoint> points = take_sweep(document);
  if (!points.empty()) settle(document, points.front());
  Simulation simulation;
  const Experiment experiment = read(document, options, simulation);
  const auto routing = make_routing(experiment, simulation);
  const Interference result = interference(experiment, *routing);
  if (!options.output.empty())
    write_file_whole(options.output,
                     [&](std::ostream& out) { write_interference_csv(result, out); });
  if (!points.empty())
    std::cout << "the first of " << points.size() << " points: " << points.front().label() << '\n';
  if (result.jobs.size() <= kWidestMatrix) print_matrix(result);
  print_pairs(result);
  for (const std::string& name : result.left_out)
    std::cout << name << " does not fit beside the others and is left out\n";
}

}  // namespace trainyard
