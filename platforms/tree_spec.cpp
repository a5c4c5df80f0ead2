#include "platforms/tree_spec.hpp"

#include "base/text.hpp"
#include "config/units.hpp"

#include <cmath>
#include <string>

namespace trainyard {

namespace {

constexpr int kMostLevels = 8;
constexpr double kMostCables = 4e6;  // a typing error must not fill the memory

// A list with one value per level that has such links or switches, or a single one for all.
template <typename T>
std::vector<T> per_level(const Properties& properties, const std::string& id, std::vector<T> values,
                         std::size_t wanted) {
  if (values.size() == 1) values.resize(wanted, values.front());
  if (values.size() != wanted)
    throw properties.infeasible(id, std::to_string(values.size()) +
                                        " values, but 'levels' asks for 1 or " +
                                        std::to_string(wanted));
  return values;
}

// One count per level; of those seen from below, the first is the endpoints' and must be 1.
std::vector<int> child_counts(Properties& properties, const std::string& id, std::size_t levels) {
  std::vector<int> values = properties.positive_ints(id);
  if (values.size() != levels)
    throw properties.infeasible(
        id, std::to_string(values.size()) + " values, but levels = " + std::to_string(levels));
  if (id != "down" && values.front() != 1)
    throw properties.error(id, "must begin with 1: an endpoint has one cable to one leaf, got '" +
                                   std::to_string(values.front()) + "'");
  return values;
}

// How many parents each switch of the level below `level` needs for this oversubscription.
int derived_parents(const Properties& properties, double oversubscription, const TreeLevel& below,
                    const TreeLevel& level) {
  const double ports_down = 1.0 * below.down * below.cables;
  const double ports_up = ports_down * (below.cable / level.cable) / oversubscription;
  const double parents = ports_up / level.cables;
  const double whole = std::round(parents);
  if (whole >= 1 && std::abs(parents - whole) <= 1e-9 * whole && whole < 1e9)
    return static_cast<int>(whole);
  throw properties.infeasible(
      "oversubscription", shortest(oversubscription) + " cannot be built: " + fixed(ports_down, 0) +
                              " ports of " + to_text(below.cable) + " down (from 'down') need " +
                              shortest(std::round(ports_up * 1000) / 1000) + " uplinks of " +
                              to_text(level.cable) + ", which is no multiple of the " +
                              std::to_string(level.cables) + " to each parent (from 'cables')");
}

void derive_parents(Properties& properties, std::vector<TreeLevel>& levels) {
  if (levels.size() == 1)
    throw properties.infeasible("oversubscription", "levels = 1 has no uplinks");
  std::vector<double> ratios = properties.numbers("oversubscription");
  if (ratios.size() >= levels.size())
    throw properties.infeasible(
        "oversubscription", std::to_string(ratios.size()) +
                                " values, but levels = " + std::to_string(levels.size()) + " has " +
                                std::to_string(levels.size() - 1) + " with uplinks");
  ratios.resize(levels.size() - 1, 1.0);
  for (std::size_t l = 1; l < levels.size(); ++l)
    levels[l].parents = derived_parents(properties, ratios[l - 1], levels[l - 1], levels[l]);
}

void read_parents(Properties& properties, std::vector<TreeLevel>& levels) {
  const bool given = properties.has("up");
  if (properties.has("oversubscription")) {
    if (given)
      throw properties.error("oversubscription",
                             "contradicts 'up': both say how many parents a switch has; give one");
    return derive_parents(properties, levels);
  }
  if (levels.size() == 1 && !given) return;
  if (!given) throw properties.error("up", "is missing; give 'up' or 'oversubscription'");
  const std::vector<int> up = child_counts(properties, "up", levels.size());
  for (std::size_t l = 0; l < levels.size(); ++l) levels[l].parents = up[l];
}

void read_links(Properties& properties, std::vector<TreeLevel>& levels, Bandwidth nic) {
  const auto latency = per_level(properties, "switch_latency",
                                 properties.seconds_list("switch_latency"), levels.size());
  for (std::size_t l = 0; l < levels.size(); ++l) levels[l].switching = latency[l];
  levels[0].cable = nic;
  if (levels.size() == 1) {
    if (properties.has("switch_bandwidth"))
      throw properties.infeasible("switch_bandwidth", "levels = 1 has no cables between switches");
    return;
  }
  const auto bandwidth = per_level(properties, "switch_bandwidth",
                                   properties.bandwidths("switch_bandwidth"), levels.size() - 1);
  for (std::size_t l = 1; l < levels.size(); ++l) levels[l].cable = bandwidth[l - 1];
}

}  // namespace

TreeSpec read_tree_spec(Properties& properties, Bandwidth nic) {
  const int count = properties.positive_int("levels");
  if (count > kMostLevels)
    throw properties.error("levels", "must be at most " + std::to_string(kMostLevels) + ", got '" +
                                         std::to_string(count) + "'");
  TreeSpec spec;
  spec.levels.resize(static_cast<std::size_t>(count));
  const std::vector<int> down = child_counts(properties, "down", spec.levels.size());
  for (std::size_t l = 0; l < spec.levels.size(); ++l) spec.levels[l].down = down[l];
  if (properties.has("cables")) {
    const std::vector<int> cables = child_counts(properties, "cables", spec.levels.size());
    for (std::size_t l = 0; l < spec.levels.size(); ++l) spec.levels[l].cables = cables[l];
  }
  read_links(properties, spec.levels, nic);
  read_parents(properties, spec.levels);
  return spec;
}

TreeSpec read_single_switch_spec(Properties& properties, Bandwidth nic, std::int64_t endpoints) {
  TreeSpec spec;
  spec.levels.resize(1);
  spec.levels[0].down = static_cast<int>(endpoints);
  read_links(properties, spec.levels, nic);
  return spec;
}

void check_fits(const Properties& properties, const TreeSpec& spec, std::int64_t positions) {
  const auto places = static_cast<double>(positions);
  double span = spec.levels.front().down;  // endpoint positions below a switch
  double wide = 1;                         // switches that serve the same positions
  double cables = places;
  for (std::size_t l = 1; l < spec.levels.size(); ++l) {
    const TreeLevel& level = spec.levels[l];
    cables += std::ceil(places / span) * wide * level.parents * level.cables;
    span *= level.down;
    wide *= level.parents;
  }
  if (span < places)
    throw properties.infeasible("down", "multiplies to " + fixed(span, 0) + ", less than the " +
                                            std::to_string(positions) + " endpoints of 'nodes'");
  if (cables > kMostCables)
    throw properties.infeasible(
        "down", "the tree would have more than " + fixed(kMostCables, 0) + " cables");
}

}  // namespace trainyard
