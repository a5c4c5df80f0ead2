// A graph as properties, in the grammar of entries.hpp.
#include "base/text.hpp"
#include "config/units.hpp"
#include "platforms/graph/cable_list.hpp"
#include "platforms/graph/name_list.hpp"
#include "platforms/graph_spec.hpp"

namespace trainyard {

namespace {

using Texts = std::vector<std::string>;

std::string speed(Bandwidth bandwidth, Seconds latency) {
  return to_text(bandwidth) + ", " + to_text(latency);
}

// "0+1": several indices as one item of a list; "-" for none.
std::string joined(const std::vector<int>& indices) {
  Texts texts;
  for (const int index : indices) texts.push_back(std::to_string(index));
  return texts.empty() ? "-" : join(texts, "+");
}

// One entry for each run of neighbours that `value` says the same of. `column` of an item is its
// text in each of the entry's lists.
template <typename Item, typename Columns, typename Value>
std::string entries(const std::vector<Item>& items, Columns columns, Value value) {
  Texts lines;
  for (std::size_t i = 0; i < items.size();) {
    const std::string same = value(items[i]);
    std::vector<Texts> lists(columns(items[i]).size());
    for (; i < items.size() && value(items[i]) == same; ++i) {
      const Texts row = columns(items[i]);
      for (std::size_t c = 0; c < row.size(); ++c) lists[c].push_back(row[c]);
    }
    Texts words;
    for (const Texts& list : lists) words.push_back(to_name_list(list));
    lines.push_back(join(words, " ") + ": " + same);
  }
  return join(lines, "; ");
}

void write_kind(const GraphSpec::NodeKind& kind, PropertyTexts& out) {
  const std::string prefix = "kind." + kind.name + ".";
  out.emplace_back(prefix + "gpus", std::to_string(kind.gpus));
  if (kind.nvswitch)
    out.emplace_back(prefix + "nvswitch", speed(kind.nvswitch->bandwidth, kind.nvswitch->latency));
  const auto same = [](const auto& part) { return speed(part.bandwidth, part.latency); };
  if (!kind.nvlink.empty())
    out.emplace_back(prefix + "nvlink",
                     entries(
                         kind.nvlink,
                         [](const GraphSpec::NvlinkPair& pair) {
                           return Texts{std::to_string(pair.a) + "-" + std::to_string(pair.b)};
                         },
                         same));
  if (!kind.nics.empty())
    out.emplace_back(prefix + "nics", entries(
                                          kind.nics,
                                          [](const GraphSpec::Nic& nic) {
                                            return Texts{nic.name, joined(nic.gpus)};
                                          },
                                          same));
  if (!kind.pcie.empty())
    out.emplace_back(prefix + "pcie", entries(
                                          kind.pcie,
                                          [](const GraphSpec::PcieSwitch& pcie) {
                                            return Texts{joined(pcie.gpus), joined(pcie.nics)};
                                          },
                                          same));
}

std::string to_text(const CableRun& run) {
  std::string text = to_name_list(run.a) + (run.each_with_each ? " x " : " ") +
                     to_name_list(run.b) + ": " + speed(run.alike.bandwidth, run.alike.latency);
  if (run.alike.count != 1) text += ", " + std::to_string(run.alike.count);
  return text;
}

}  // namespace

PropertyTexts to_properties(const GraphSpec& spec) {
  PropertyTexts out;
  Texts kinds;
  for (const GraphSpec::NodeKind& kind : spec.kinds) kinds.push_back(kind.name);
  out.emplace_back("kinds", to_name_list(kinds));
  for (const GraphSpec::NodeKind& kind : spec.kinds) write_kind(kind, out);
  out.emplace_back("nodes",
                   entries(
                       spec.nodes, [](const GraphSpec::Node& node) { return Texts{node.name}; },
                       [](const GraphSpec::Node& node) { return node.kind; }));
  if (!spec.switches.empty())
    out.emplace_back("switches",
                     entries(
                         spec.switches, [](const GraphSpec::Switch& sw) { return Texts{sw.name}; },
                         [](const GraphSpec::Switch& sw) { return to_text(sw.latency); }));
  Texts runs;
  for (const CableRun& run : to_runs(spec.cables)) runs.push_back(to_text(run));
  if (!runs.empty()) out.emplace_back("cables", join(runs, "; "));
  return out;
}

}  // namespace trainyard
