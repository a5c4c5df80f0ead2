// `trainyard nccl-tests`: what nccl-tests would print on this platform.

#include "app/commands.hpp"
#include "app/experiment_file.hpp"
#include "app/terminal.hpp"
#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "platforms/xml.hpp"
#include "report/writers/csv.hpp"
#include "study/validation/simulated_sweep.hpp"
#include "workload/importers/nccl/sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <sstream>

namespace trainyard {

namespace {

struct Shape {
  int nodes, gpus_per_node;
};

Shape shape_of(const NcclTestsOptions& options, const Platform& platform) {
  int per_node = std::max(1, options.gpus_per_node);
  if (options.gpus_per_node == 0)
    for (const Node& node : platform.nodes) per_node = std::max(per_node, node.gpus);
  if (options.ranks == 0)
    return {options.nodes > 0 ? options.nodes : platform.node_count(), per_node};
  if (options.nodes == 0 && options.ranks < per_node) return {1, options.ranks};
  const int nodes = options.nodes > 0 ? options.nodes : std::max(1, options.ranks / per_node);
  if (options.ranks % nodes != 0 ||
      (options.gpus_per_node > 0 && nodes * per_node != options.ranks) ||
      (options.nodes == 0 && nodes * per_node != options.ranks))
    throw InfeasibleError({}, "ranks",
                          std::to_string(options.ranks) + " ranks are not " +
                              std::to_string(nodes) + " nodes of the same number of GPUs");
  return {nodes, options.ranks / nodes};
}

const NcclOperation& operation_named(const std::string& name) {
  if (const NcclOperation* operation = find_nccl_operation(name)) return *operation;
  std::vector<std::string> names;
  for (const NcclOperation& operation : nccl_operations()) names.emplace_back(operation.name);
  throw InputError({}, "operation", "unknown operation '" + name + "'" + suggestion(name, names));
}

CollectiveKind kind_of(const NcclOperation& operation) {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : algorithms()) {
    if (nccl_operation_of(entry.kind) == &operation) return entry.kind;
    names.emplace_back(to_string(entry.kind));
  }
  throw InputError({}, "operation", std::string("no algorithm does '") + operation.name + "'");
}

Bytes size_named(const std::string& option, const std::string& text) {
  const Bytes size = nccl_size(text);
  if (size == bytes(0))
    throw InputError({}, option, "'" + text + "' is no size; try 8, 64K, 1M or 16G");
  return size;
}

void print(const NcclOperation& operation, int ranks, const std::vector<SimulatedRow>& rows,
           std::ostream& out) {
  out << nccl_table_header();
  for (const SimulatedRow& row : rows) {
    NcclRow printed;
    printed.size = row.size;
    printed.time = printed.in_place = row.time;
    char extra[160];
    std::snprintf(extra, sizeof extra, "  %-12s %14.0f  %-7s %7.1f%%  %s", row.algorithm.c_str(),
                  row.cost.sent_by_a_rank, to_string(row.cost.bound), gap_percent(row),
                  row.label.c_str());
    out << nccl_table_row(operation, ranks, printed) << extra << '\n';
  }
  out << "# after nccl-tests' columns: algorithm, bytes sent by the busiest rank, the links "
         "that bound it,\n# time beyond the analytic model, where the figure comes from\n";
}

void write_csv(const NcclOperation& operation, int ranks, const std::vector<SimulatedRow>& rows,
               std::ostream& out) {
  out << "size_B,time_us,algbw_GBps,busbw_GBps,algorithm,sent_B,bound,analytic_us,label\n";
  for (const SimulatedRow& row : rows) {
    const double algbw = static_cast<double>(row.size.count()) / in_seconds(row.time) / 1e9;
    CsvLine(out)
        .integer(row.size.count())
        .number(in_microseconds(row.time))
        .number(algbw)
        .number(algbw * bus_factor(operation, ranks))
        .text(row.algorithm)
        .number(row.cost.sent_by_a_rank)
        .text(to_string(row.cost.bound))
        .number(in_microseconds(row.cost.analytic))
        .text(row.label)
        .end();
  }
}

}  // namespace

void nccl_tests_command(const NcclTestsOptions& options) {
  const NcclOperation& operation = operation_named(options.operation);
  const CollectiveKind kind = kind_of(operation);
  const Bytes begin = size_named("minbytes", options.begin);
  const Bytes end = size_named("maxbytes", options.end);
  if (end < begin)
    throw InputError({}, "maxbytes",
                     "'" + options.end + "' is less than minbytes, '" + options.begin + "'");
  Simulation simulation;
  const bool plain = is_plain_simgrid(options.platform);
  const Platform platform =
      plain ? load_plain(simulation, options.platform) : load_platform(options.platform);
  const auto routing =
      plain ? simulation.plain_routing(platform) : make_routing(platform, routing_alone(platform));
  const Calibration calibration = calibration_of(platform);
  const Shape shape = shape_of(options, platform);
  CollectiveTimer timer(platform, *routing,
                        place_ranks(platform, shape.nodes, shape.gpus_per_node, options.placement));
  std::vector<SimulatedRow> rows;
  for (const Bytes size : sweep_sizes(begin, end, options.factor))
    rows.push_back(simulate_row(timer, calibration, kind, options.algorithm, size));
  std::ostringstream text;  // whole or not at all
  text << "# simulated: " << platform.name << ", " << timer.ranks() << " ranks on " << shape.nodes
       << " nodes (" << options.placement << "), calibration: " << calibration.label << '\n';
  print(operation, timer.ranks(), rows, text);
  if (options.explain)
    for (const SimulatedRow& row : rows)
      text << wrapped("# " + explain_row(timer, calibration, row), "#     ", output_width());
  if (!options.csv.empty())
    write_file_whole(options.csv,
                     [&](std::ostream& out) { write_csv(operation, timer.ranks(), rows, out); });
  std::cout << text.str();
}

}  // namespace trainyard
