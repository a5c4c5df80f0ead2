// `trainyard platform show`: what the fabric is, in a screenful.

#include "app/commands.hpp"
#include "app/experiment_file.hpp"
#include "app/free_file.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "config/units.hpp"
#include "platforms/drawing/overview.hpp"
#include "platforms/drawing/picture.hpp"
#include "platforms/xml.hpp"
#include "report/table.hpp"
#include "sim/simulation.hpp"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
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

// Links that look alike, counted; the first of them is the example. Numbers first: text is slow.
void print_links(const Platform& platform) {
  std::map<std::tuple<LinkClass, int, Bandwidth, Seconds>, std::pair<int, const Link*>> alike;
  for (const Link& link : platform.links)
    ++alike.try_emplace({link.link_class, link.level, link.bandwidth, link.latency}, 0, &link)
          .first->second.first;
  std::map<std::vector<std::string>, std::pair<int, std::string>> kinds;
  for (const auto& [ignored, entry] : alike) {
    const Link& link = *entry.second;
    const std::vector<std::string> kind = {to_string(link.link_class), std::to_string(link.level),
                                           shown(link.bandwidth), shown(link.latency)};
    kinds.emplace(kind, std::make_pair(0, shortened(link.name, 44))).first->second.first +=
        entry.first;
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

// The tree, folded: the top level first, the nodes last.
void print_tree(const Platform& platform, const Overview& overview) {
  Table table({{"level", Align::Left},
               {"count", Align::Right},
               {"names", Align::Left},
               {"each of them", Align::Left}});
  for (const SwitchRow& row : overview.switches)
    table.add({"switches " + std::to_string(row.level), std::to_string(row.switches.size()),
               span_of(row.switches, platform.switches), description(row)});
  for (const NodeRow& row : overview.nodes)
    table.add({"nodes", std::to_string(row.nodes.size()), span_of(row.nodes, platform.nodes),
               description(row)});
  std::cout << table.text();
}

void print_capacities(const Platform& platform) {
  const std::vector<double> ratios = oversubscription(platform);
  for (std::size_t level = 0; level < ratios.size(); ++level)
    std::cout << "oversubscription at level " << level + 1 << ": " << shortest(ratios[level])
              << ":1\n";
  if (const Bandwidth half = bisection(platform); half > Bandwidth())
    std::cout << "bisection: " << shown(half) << " each way\n";
  if (const int longest = diameter(platform); longest > 0)
    std::cout << "diameter: " << counted(longest, "link") << " from NIC to NIC\n";
}

}  // namespace

void platform_show_command(const PlatformShowOptions& options) {
  const std::string& file = options.platform;
  Simulation simulation;
  const Platform platform =
      is_plain_simgrid(file) ? load_plain(simulation, file) : load_platform(file);
  if (!options.svg.empty()) {
    check_free(options.svg, options.replace);
    write_file_whole(options.svg, [&](std::ostream& out) { out << draw(platform); });
  }
  const Overview overview = overview_of(platform);
  std::cout << platform.name << " (" << platform.topology
            << ", numbers: " << std::filesystem::path(platform.calibration).filename().string()
            << ")\n"
            << counted(platform.node_count(), "node") << ", "
            << counted(platform.gpu_count(), "GPU") << ", "
            << counted(static_cast<std::int64_t>(platform.nics.size()), "NIC") << '\n';
  print_tree(platform, overview);
  print_capacities(platform);
  print_links(platform);
}

}  // namespace trainyard
