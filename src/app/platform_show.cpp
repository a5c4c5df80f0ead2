// `trainyard platform show`: what the fabric is, in a screenful.

#include "app/commands.hpp"
#include "app/experiment_file.hpp"
#include "base/text.hpp"
#include "config/units.hpp"
#include "platforms/xml.hpp"
#include "report/table.hpp"
#include "sim/simulation.hpp"

#include <iostream>
#include <map>

namespace trainyard {

namespace {

// Links that are alike in class, level and speed, counted.
void print_links(const Platform& platform) {
  std::map<std::string, std::pair<int, const Link*>> kinds;
  for (const Link& link : platform.links) {
    const std::string kind = std::string(to_string(link.link_class)) + " " +
                             std::to_string(link.level) + " " +
                             shortest(in_bytes_per_second(link.bandwidth));
    ++kinds.emplace(kind, std::make_pair(0, &link)).first->second.first;
  }
  Table table({{"links", Align::Left},
               {"level", Align::Right},
               {"count", Align::Right},
               {"bandwidth", Align::Right},
               {"latency", Align::Right},
               {"for example", Align::Left}});
  for (const auto& [kind, entry] : kinds) {
    const Link& link = *entry.second;
    table.add({to_string(link.link_class), std::to_string(link.level), std::to_string(entry.first),
               to_text(link.bandwidth), to_text(link.latency), link.name});
  }
  std::cout << table.text();
}

void print_switches(const Platform& platform) {
  std::map<int, int> by_level;
  for (const Switch& data : platform.switches) ++by_level[data.level];
  for (const auto& [level, count] : by_level)
    std::cout << "switches of level " << level << ": " << count << '\n';
  const std::vector<double> ratios = oversubscription(platform);
  for (std::size_t level = 0; level < ratios.size(); ++level)
    std::cout << "oversubscription at level " << level + 1 << ": " << shortest(ratios[level])
              << ":1\n";
  if (!platform.switches.empty())
    std::cout << "bisection: " << to_text(bisection(platform)) << " each way\n";
}

}  // namespace

void platform_show_command(const std::string& file) {
  Simulation simulation;
  const Platform platform =
      is_plain_simgrid(file) ? load_plain(simulation, file) : load_platform(file);
  std::cout << platform.name << " (" << platform.topology << ", numbers: " << platform.calibration
            << ")\n"
            << platform.node_count() << " nodes, " << platform.gpu_count() << " GPUs, "
            << platform.nics.size() << " NICs\n";
  print_switches(platform);
  print_links(platform);
}

}  // namespace trainyard
