// bench_rows: what whole runs cost, each in a fresh process, beside the bar it must stay under.
//
//   bench_rows [--row NAME]...
//
// Times are CPU seconds, so that a busy machine changes them little. The exit code is 0 whatever
// the times; a wrong simulated result ends the program with 1.
#include "base/text.hpp"
#include "report/table.hpp"
#include "rows/child.hpp"
#include "rows/row.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace trainyard::bench {

namespace {

std::vector<Row> all_rows() {
  std::vector<Row> rows = collective_rows();
  for (const auto& more :
       {scale_rows(), training_rows(), step_rows(), trace_rows(), slurm_rows(), solver_rows()})
    rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

std::string bar_of(const Row& row) {
  std::string bar = row.bar_s > 0 ? "< " + shortest(row.bar_s) + " s" : "-";
  if (row.bar_mb > 0) bar += ", < " + fixed(row.bar_mb, 0) + " MB";
  return bar;
}

std::string verdict_of(const Row& row, const Measured& measured) {
  if (row.bar_s <= 0) return "-";
  const bool slow = measured.cpu_s >= row.bar_s;
  const bool big = row.bar_mb > 0 && measured.rss_mb >= row.bar_mb;
  return slow || big ? "over the bar" : "PASS";
}

std::string ratio_of(const Row& row, const Measured& measured) {
  if (!row.yardstick) return "-";
  const Measured other = measure(row.yardstick);
  std::cout << "    simgrid model: " << fixed(other.cpu_s, 3) << " s, " << fixed(other.rss_mb, 0)
            << " MB, simulated " << shortest(other.simulated_s) << " s\n";
  return "1 : " + fixed(other.cpu_s / measured.cpu_s, 0);
}

// Measures, says so at once, and adds a line to the table.
void run(const Row& row, Table& table) {
  std::cout << row.name << ": " << row.work << std::endl;
  const Measured measured = measure(row.run);
  if (!measured.absent.empty()) {
    std::cout << "    SKIPPED, REFERENCE DATA ABSENT: " << measured.absent
              << "; set TRAINYARD_DATA to the folder that holds it\n";
    return table.add({row.name, bar_of(row), "", "", "", "", "", "", "SKIPPED", row.peers});
  }
  if (!measured.note.empty()) std::cout << "    " << measured.note << '\n';
  const std::string rate =
      measured.events > 0 ? fixed(measured.events / measured.cpu_s, 0) : std::string("-");
  table.add({row.name, bar_of(row), fixed(measured.cpu_s, 3), fixed(measured.wall_s, 3),
             fixed(measured.rss_mb, 0), ratio_of(row, measured), rate,
             shortest(measured.simulated_s), verdict_of(row, measured), row.peers});
}

bool wanted(const Row& row, const std::vector<std::string>& names) {
  return names.empty() || std::find(names.begin(), names.end(), row.name) != names.end();
}

void run_rows(const std::vector<std::string>& names) {
  constexpr Align kRight = Align::Right;
  Table table({{"row"},
               {"bar", kRight},
               {"CPU s", kRight},
               {"wall s", kRight},
               {"RSS MB", kRight},
               {"flow : simgrid", kRight},
               {"events/CPU s", kRight},
               {"simulated s", kRight},
               {"verdict"},
               {"others need"}});
  for (const Row& row : all_rows())
    if (wanted(row, names)) run(row, table);
  std::cout << '\n' << table.text();
}

// Empty for all rows. Throws std::runtime_error if a name is unknown.
std::vector<std::string> names_of(const std::vector<std::string>& arguments) {
  std::vector<std::string> known, names;
  for (const Row& row : all_rows()) known.emplace_back(row.name);
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    if (arguments[i] != "--row" || i + 1 == arguments.size())
      throw std::runtime_error("usage: bench_rows [--row NAME]...; rows: " + join(known));
    if (std::find(known.begin(), known.end(), arguments[i + 1]) == known.end())
      throw std::runtime_error("no row '" + arguments[i + 1] + "'" +
                               suggestion(arguments[i + 1], known));
    names.push_back(arguments[i + 1]);
  }
  return names;
}

}  // namespace

}  // namespace trainyard::bench

int main(int argc, char** argv) {
  try {
    trainyard::bench::run_rows(trainyard::bench::names_of({argv + 1, argv + argc}));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "bench_rows: " << error.what() << std::endl;
    return 1;
  }
}
