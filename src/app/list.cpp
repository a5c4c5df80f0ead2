// `trainyard list`: every registry, one row each.

#include "app/commands.hpp"
#include "base/text.hpp"
#include "collectives/registry.hpp"
#include "platforms/gpus.hpp"
#include "platforms/importers/registry.hpp"
#include "platforms/registry.hpp"
#include "report/metrics.hpp"
#include "report/table.hpp"
#include "schedulers/registry.hpp"
#include "workload/importers/jobs/registry.hpp"
#include "workload/importers/trace_formats.hpp"

#include <iostream>
#include <string>

namespace trainyard {

namespace {

std::string name_of(const AlgorithmEntry& entry) {
  return std::string(to_string(entry.kind)) + " " + entry.name;
}

template <typename Entry>
std::string name_of(const Entry& entry) {
  return entry.name;
}

template <typename Entry>
void print(const char* title, const std::vector<Entry>& entries) {
  Table table({{"", Align::Left}, {"", Align::Left}});
  for (const Entry& entry : entries) table.add({"  " + name_of(entry), entry.sentence});
  std::cout << title << table.text();  // its header is an empty line
}

std::string rate(double tflops) { return tflops > 0 ? shortest(tflops) : "-"; }

void print_gpus() {
  Table table({{"GPUs (a platform's property 'gpu')", Align::Left},
               {"", Align::Left},
               {"SMs", Align::Right},
               {"tf32", Align::Right},
               {"bf16", Align::Right},
               {"fp8 TFLOP/s", Align::Right},
               {"HBM TB/s", Align::Right},
               {"GiB", Align::Right}});
  for (const GpuType& gpu : gpu_types())
    table.add({std::string("  ") + gpu.name, gpu.sentence, std::to_string(gpu.sms), rate(gpu.tf32),
               rate(gpu.bf16), rate(gpu.fp8), fixed(in_gigabytes_per_second(gpu.hbm) / 1000, 2),
               std::to_string(gpu.memory.count() >> 30)});
  std::cout << '\n' << table.text();
}

struct Row {
  const char* name;
  const char* sentence;
};

std::vector<Row> schedulers() {
  std::vector<Row> rows;
  for (const PolicyEntry& entry : policies()) rows.push_back({entry.name, entry.sentence});
  rows.push_back({"slurm", "Slurm's own rules, with a site's slurm.conf (scheduler.site)"});
  return rows;
}

}  // namespace

void list_command() {
  print("topologies (platform files)", topologies());
  print("\nsite files (platform import)", importers());
  print_gpus();
  print("\ntraces of training steps (trace show)", trace_formats());
  print("\ntraces of jobs (workload: trace: format)", job_trace_formats());
  print("\ncollective algorithms", algorithms());
  print("\nscheduling policies (scheduler.policy)", schedulers());
  print("\nplacements (scheduler.placement)", placements());
  print("\nmetrics (summary.json)", metrics());
}

}  // namespace trainyard
