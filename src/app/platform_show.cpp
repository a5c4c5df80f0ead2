// `trainyard platform show`: what the fabric is, in a screenful.

#include "app/commands.hpp"
#include "app/experiment_file.hpp"
#include "base/text.hpp"
#include "config/units.hpp"
#include "platforms/xml.hpp"
#include "report/table.hpp"
#include "sim/simulation.hpp"

#include <cstdio>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

namespace {

// Six digits are enough to look at: SimGrid reads "50us" as 49.99999999999999 us.
double rounded(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return parse_double(text).value_or(value);
}
std::string shown(Bandwidth rate) { return to_text(Bandwidth(rounded(in_bytes_per_second(rate)))); }
std::string shown(Seconds time) { return to_text(Seconds(rounded(in_seconds(time)))); }

// Links that look alike, counted; the first of them is the example.
void print_links(const Platform& platform) {
  std::map<std::vector<std::string>, std::pair<int, std::string>> kinds;
  for (const Link& link : platform.links) {
    const std::vector<std::string> kind = {to_string(link.link_class), std::to_string(link.level),
                                           shown(link.bandwidth), shown(link.latency)};
    ++kinds.emplace(kind, std::make_pair(0, link.name)).first->second.first;
  }
  Table table({{"links", Align::Left},
               {"level", Align::Right},
               {"bandwidth", Align::Right},
               {"latency", Align::Right},
               {"count", Align::Right},
               {"for example", Align::Left}});
  for (const auto& [kind, entry] : kinds) {
    std::vector<std::string> cells = kind;
    cells.push_back(std::to_string(entry.first));
    cells.push_back(entry.second);
    table.add(cells);
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
    std::cout << "bisection: " << shown(bisection(platform)) << " each way\n";
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
