// `trainyard list`: every registry, one row each.

#include "app/commands.hpp"
#include "collectives/registry.hpp"
#include "platforms/registry.hpp"
#include "report/metrics.hpp"
#include "report/table.hpp"
#include "schedulers/registry.hpp"

#include <iostream>

namespace trainyard {

namespace {

template <typename Entry>
void print(const char* title, const std::vector<Entry>& entries) {
  std::cout << title << '\n';
  Table table({{"", Align::Left}, {"", Align::Left}, {"", Align::Left}});
  for (const Entry& entry : entries) table.add({" ", entry.name, entry.sentence});
  std::cout << table.text() << '\n';
}

}  // namespace

int list_command() {
  print("topologies (platform files)", topologies());
  std::cout << "collective algorithms\n";
  Table table({{"", Align::Left}, {"", Align::Left}, {"", Align::Left}});
  for (const AlgorithmEntry& entry : algorithms())
    table.add({" ", std::string(to_string(entry.kind)) + " " + entry.name, entry.sentence});
  std::cout << table.text() << '\n';
  print("scheduling policies (scheduler.policy)", policies());
  print("placements (scheduler.placement)", placements());
  print("metrics (summary.json)", metrics());
  return 0;
}

}  // namespace trainyard
