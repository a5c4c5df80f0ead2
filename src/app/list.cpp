// `trainyard list`: every registry, one row each.

#include "app/commands.hpp"
#include "collectives/registry.hpp"
#include "platforms/importers/registry.hpp"
#include "platforms/registry.hpp"
#include "report/metrics.hpp"
#include "report/table.hpp"
#include "schedulers/registry.hpp"

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

}  // namespace

void list_command() {
  print("topologies (platform files)", topologies());
  print("\nsite files (platform import)", importers());
  print("\ncollective algorithms", algorithms());
  print("\nscheduling policies (scheduler.policy)", policies());
  print("\nplacements (scheduler.placement)", placements());
  print("\nmetrics (summary.json)", metrics());
}

}  // namespace trainyard
