#include "platforms/importers/nccl_topology.hpp"

#include "base/text.hpp"
#include "platforms/importers/nccl_reader.hpp"

#include <algorithm>

namespace trainyard {

namespace {

// Per lane, in units of 100 Mbit/s.
struct PcieSpeed {
  const char* name;
  int rate;
};
constexpr PcieSpeed kPcieSpeeds[] = {{"2.5", 15},   {"5", 30},   {"5.0", 30},   {"8", 60},
                                     {"8.0", 60},   {"16", 120}, {"16.0", 120}, {"32", 240},
                                     {"32.0", 240}, {"64", 480}, {"64.0", 480}};

}  // namespace

// NVLinks between two GPUs are seen by both, alike.
void NcclReader::check_pairs() {
  for (const NcclGpu& gpu : node_.gpus)
    for (const auto& [target, count] : gpu.pair_links) {
      const auto other = std::find_if(node_.gpus.begin(), node_.gpus.end(),
                                      [&, bus = target](const NcclGpu& g) { return g.bus == bus; });
      if (other == node_.gpus.end() || target == gpu.bus)
        throw InputError(gpu.place, "",
                         "NVLink of GPU " + gpu.bus + " leads to '" + printable(target) +
                             "', which is no other GPU");
      const auto back = other->pair_links.find(gpu.bus);
      if (back == other->pair_links.end() || back->second != count)
        throw InputError(gpu.place, "",
                         "GPU " + gpu.bus + " has " + std::to_string(count) + " NVLinks to " +
                             target + ", which has another number to it");
    }
}

void NcclReader::finish() {
  const auto by_device = [](const auto& a, const auto& b) {
    return a.dev != b.dev && a.dev >= 0 && b.dev >= 0 ? a.dev < b.dev : a.bus < b.bus;
  };
  const auto all_numbered = [](const auto& all) {
    return std::all_of(all.begin(), all.end(), [](const auto& one) { return one.dev >= 0; });
  };
  const auto order = [&](auto& all) {
    if (!all_numbered(all))
      for (auto& one : all) one.dev = -1;
    std::stable_sort(all.begin(), all.end(), by_device);
  };
  order(node_.gpus);
  order(node_.nics);
  check_pairs();
  const auto note = [&](int count, const char* thing, const char* what) {
    if (count > 0) node_.notes.push_back(counted(count, thing) + " " + what);
  };
  note(unrated_, "PCI device", "without link_speed: taken for 8 GT/s, as NCCL does");
  note(nvswitches_, "NVSwitch", "on PCI: one switch, as NCCL takes them");
  note(others_, "PCI device", "neither GPU nor NIC nor switch: ignored");
  if (!ignored_.empty())
    node_.notes.push_back("known to NCCL and not modelled: " +
                          join({ignored_.begin(), ignored_.end()}));
}

NcclNode NcclReader::read() {
  const pugi::xml_node root = xml_.root();
  if (root.name() == std::string("graphs"))
    throw xml_.error(root, "is NCCL's search graph (NCCL_GRAPH_FILE), not a topology");
  if (root.name() != std::string("system"))
    throw xml_.error(root, "is not an NCCL topology; it must be <system version=\"1\">");
  check(root, {"version"}, {}, {});
  if (integer(root, "version", 0, 0) != 1)
    throw xml_.error(root, "must have version=\"1\", got '" +
                               printable(root.attribute("version").value()) + "'");
  xml_.require_children(root, "cpu");
  for (const pugi::xml_node cpu : root.children()) take_cpu(cpu);
  node_.place = xml_.place(root);
  if (node_.gpus.empty())
    throw xml_.error(root, "holds no GPU: no <gpu> and no PCI device of class 0x03");
  finish();
  return std::move(node_);
}

Bandwidth nccl_pcie_rate(const std::string& link_speed, int link_width) {
  const std::size_t unit = link_speed.find(" GT/s");
  const int lanes = link_width == 0 ? 16 : link_width;
  for (const PcieSpeed& speed : kPcieSpeeds)
    if (unit != std::string::npos && link_speed.substr(0, unit) == speed.name)
      return gigabytes_per_second(lanes * speed.rate / 80.0);
  return {};
}

NcclNode parse_nccl_topology(const std::string& file, const std::string& text) {
  return NcclReader(file, text).read();
}

}  // namespace trainyard
