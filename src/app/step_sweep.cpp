// `trainyard step` on an experiment with a sweep: every point's step in one table, fastest first.
//
// Points that cannot be (a layout that does not divide, a model that does not fit) are counted and
// listed with their reason: they are no error here.

#include "app/commands.hpp"
#include "app/experiment_file.hpp"
#include "app/points.hpp"
#include "app/scratch_folder.hpp"
#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "report/table.hpp"
#include "report/writers/csv.hpp"
#include "study/simulate.hpp"
#include "study/steps/step_study.hpp"
#include "study/sweep.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <unistd.h>

namespace trainyard {

namespace {

constexpr std::size_t kLongestTable = 20;

struct Row {
  std::string label;
  StepOutline outline;
  std::string refused;  // why it cannot be; "": it can
};

// From a child to its parent: numbers at full precision, or the reason.
void write_row(const Row& row, const std::string& file) {
  std::ofstream out(file);
  out.precision(17);
  out << (row.refused.empty() ? 1 : 0) << '\n';
  const StepOutline& outline = row.outline;
  out << outline.gpus << ' ' << outline.step << ' ' << outline.flops << ' '
      << outline.memory.count();
  for (const double spent : outline.actual.spent) out << ' ' << spent;
  out << '\n' << row.refused;
}

Row read_row(const std::string& label, const std::string& file) {
  std::ifstream in(file);
  Row row;
  row.label = label;
  int possible = 0;
  std::int64_t memory = 0;
  in >> possible >> row.outline.gpus >> row.outline.step >> row.outline.flops >> memory;
  row.outline.memory = bytes(memory);
  for (double& spent : row.outline.actual.spent) in >> spent;
  if (possible == 0) std::getline(in >> std::ws, row.refused, '\0');
  return row;
}

Row evaluate(Document& document, const StepOptions& options) {
  Row row;
  try {
    Simulation simulation;
    const Experiment experiment = read(document, options.run, simulation);
    const auto routing = make_routing(experiment, simulation);
    row.outline = outline_step(experiment, *routing, options.job);
  } catch (const InfeasibleError& error) {
    row.refused = error.what();
  }
  return row;
}

double teraflops(const StepOutline& outline) {
  return outline.flops / outline.step / outline.gpus / 1e12;
}

double share(const StepOutline& outline, Spent spent) {
  return 100 * outline.actual.spent[static_cast<std::size_t>(spent)] / outline.step;
}

void print_rows(const std::vector<Row>& rows, std::size_t possible) {
  Table table({{"point", Align::Left},
               {"step ms", Align::Right},
               {"TFLOP/s a GPU", Align::Right},
               {"GiB", Align::Right},
               {"compute %", Align::Right},
               {"bubble %", Align::Right},
               {"tensor %", Align::Right},
               {"data %", Align::Right},
               {"pipeline %", Align::Right}});
  for (std::size_t i = 0; i < std::min(possible, kLongestTable); ++i) {
    const StepOutline& outline = rows[i].outline;
    const auto percent = [&](Spent spent) { return fixed(share(outline, spent), 1); };
    table.add({rows[i].label, fixed(1e3 * outline.step, 1), fixed(teraflops(outline), 1),
               fixed(static_cast<double>(outline.memory.count()) / (1024.0 * 1024 * 1024), 1),
               percent(Spent::Compute), percent(Spent::Wait), percent(Spent::Tensor),
               percent(Spent::Data), percent(Spent::Pipeline)});
  }
  std::cout << table.text();
  if (possible > kLongestTable)
    std::cout << "and " << possible - kLongestTable << " that are slower\n";
  if (possible < rows.size())
    std::cout << counted(static_cast<std::int64_t>(rows.size() - possible), "point")
              << " cannot be, for example " << rows.back().label << ":\n  " << rows.back().refused
              << '\n';
}

void write_csv(const std::vector<Row>& rows, std::ostream& out) {
  out << "point,gpus,step_s,tflops_per_gpu,memory_B";
  for (std::size_t s = 0; s < kSpentKinds; ++s)
    out << ',' << to_string(static_cast<Spent>(s)) << "_s";
  out << ",refused\n";
  for (const Row& row : rows) {
    CsvLine line(out);
    line.text(row.label).integer(row.outline.gpus).number(row.outline.step);
    line.number(row.refused.empty() ? teraflops(row.outline) : 0);
    line.integer(row.outline.memory.count());
    for (const double spent : row.outline.actual.spent) line.number(spent);
    line.text(row.refused).end();
  }
}

}  // namespace

void step_sweep(Document& document, const StepOptions& options,
                const std::vector<SweepPoint>& points) {
  const ScratchFolder scratch;
  const bool live = !options.run.quiet && isatty(STDERR_FILENO) != 0;
  for_each_point(document, options.run, points, live, [&](std::size_t point) {
    write_row(evaluate(document, options), scratch.file(point));
  });
  std::vector<Row> rows;
  for (std::size_t i = 0; i < points.size(); ++i)
    rows.push_back(read_row(points[i].label(), scratch.file(i)));
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    if (a.refused.empty() != b.refused.empty()) return a.refused.empty();
    return a.outline.step < b.outline.step;
  });
  const auto possible = static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.refused.empty(); }));
  if (!options.csv.empty())
    write_file_whole(options.csv, [&](std::ostream& out) { write_csv(rows, out); });
  if (possible == 0)
    throw InfeasibleError(
        {}, "sweep",
        "no point can be, for example " + rows.back().label + ": " + rows.back().refused);
  print_rows(rows, possible);
}

}  // namespace trainyard
