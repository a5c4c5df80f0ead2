#include "platforms/importers/nccl_reader.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>

namespace trainyard {

namespace {

constexpr int kDeepest = 32;  // PCI devices below each other

bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

}  // namespace

// Throws at an attribute that NCCL does not know; remembers those that are known and not modelled.
void NcclReader::check(pugi::xml_node element, const Names& required, const Names& modelled,
                       const Names& ignored) {
  Names optional = modelled;
  optional.insert(optional.end(), ignored.begin(), ignored.end());
  xml_.require_attributes(element, required, optional);
  for (const std::string& name : ignored)
    if (element.attribute(name.c_str())) ignored_.insert(name);
}

int NcclReader::integer(pugi::xml_node element, const char* name, int least, int fallback) {
  const pugi::xml_attribute attribute = element.attribute(name);
  if (!attribute) return fallback;
  const auto value = parse_integer(trim(attribute.value()));
  if (!value || *value < least || *value > 1'000'000'000)
    throw xml_.error(element, "needs a whole number of at least " + std::to_string(least) +
                                  " as '" + name + "', got '" + printable(attribute.value()) + "'");
  return static_cast<int>(*value);
}

// "0000:10:1c.0", in small letters.
std::string NcclReader::bus(pugi::xml_node pci) {
  std::string id = pci.attribute("busid").value();
  const std::string shape = "xxxx:xx:xx.x";
  bool sound = id.size() == shape.size();
  for (std::size_t i = 0; sound && i < id.size(); ++i) {
    const auto c = static_cast<unsigned char>(id[i]);
    sound = shape[i] == 'x' ? std::isxdigit(c) != 0 : id[i] == shape[i];
    id[i] = static_cast<char>(std::tolower(c));
  }
  if (!sound)
    throw xml_.error(pci, "has the bus id '" + printable(pci.attribute("busid").value()) +
                              "', which is none such as 0000:10:1c.0");
  if (!buses_.insert(id).second) throw xml_.error(pci, "has the bus id " + id + " a second time");
  return id;
}

Bandwidth NcclReader::pcie_rate(pugi::xml_node pci) {
  const std::string speed = pci.attribute("link_speed").value();
  const int width = integer(pci, "link_width", 0, 0);
  if (speed.empty()) return ++unrated_, nccl_pcie_rate("8 GT/s", width);
  const Bandwidth rate = nccl_pcie_rate(speed, width);
  if (rate > Bandwidth()) return rate;
  throw xml_.error(
      pci, "has the link_speed '" + printable(speed) + "'; known: 2.5, 5, 8, 16, 32 and 64 GT/s");
}

int NcclReader::add_group(const std::string& group_bus, int numa) {
  node_.groups.push_back({group_bus, numa});
  return static_cast<int>(node_.groups.size()) - 1;
}

void NcclReader::take_nvlink(pugi::xml_node link, NcclGpu& gpu) {
  check(link, {"target", "count"}, {"tclass"}, {});
  const int count = integer(link, "count", 1, 1);
  const std::string type = link.attribute("tclass").value();
  if (starts_with(type, "0x068000")) {
    gpu.switch_links += count;
  } else if (starts_with(type, "0x068001")) {
    ignored_.insert("NVLink to a CPU");
  } else {
    std::string target = link.attribute("target").value();
    for (char& c : target) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    gpu.pair_links[target] += count;
  }
}

void NcclReader::take_gpu(pugi::xml_node pci, int group) {
  NcclGpu gpu;
  gpu.bus = bus(pci);
  gpu.pcie = pcie_rate(pci);
  gpu.group = group;
  gpu.place = xml_.place(pci);
  xml_.require_children(pci, "gpu");
  if (const pugi::xml_node element = pci.child("gpu")) {
    if (element.attribute("gcn"))
      throw xml_.error(element, "is an AMD GPU; RCCL's topology files are not read");
    check(element, {}, {"dev", "sm"}, {"rank", "gdr", "keep"});
    node_.filled_in = true;
    gpu.dev = integer(element, "dev", 0, -1);
    gpu.sm = integer(element, "sm", 1, 0);
    for (const pugi::xml_node link : element.children()) {
      const std::string name = link.name();
      if (name == "nvlink")
        take_nvlink(link, gpu);
      else if (name == "c2c")
        ignored_.insert("c2c");
      else
        throw xml_.error(link, "is unknown here" + suggestion(name, {"nvlink", "c2c"}));
    }
    if (element.next_sibling())
      throw xml_.error(element.next_sibling(), "is a second GPU on one bus");
  }
  node_.gpus.push_back(std::move(gpu));
}

void NcclReader::take_net(pugi::xml_node net, NcclNic nic) {
  check(net, {"name"}, {"dev", "speed"},
        {"port", "latency", "guid", "maxconn", "gdr", "coll", "keep"});
  nic.name = net.attribute("name").value();
  nic.dev = integer(net, "dev", 0, -1);
  nic.rate = gigabits_per_second(integer(net, "speed", 1, 0) / 1e3);
  nic.place = xml_.place(net);
  node_.nics.push_back(std::move(nic));
}

void NcclReader::take_nic(pugi::xml_node pci, int group) {
  NcclNic nic;
  nic.bus = bus(pci);
  nic.pcie = pcie_rate(pci);
  nic.group = group;
  nic.efa = starts_with(pci.attribute("device").value(), "0xefa");
  nic.place = xml_.place(pci);
  xml_.require_children(pci, "nic");
  const std::size_t before = node_.nics.size();
  for (const pugi::xml_node element : pci.children()) {
    check(element, {}, {}, {"keep"});
    xml_.require_children(element, "net");
    for (const pugi::xml_node net : element.children()) take_net(net, nic);
  }
  if (node_.nics.size() == before) node_.nics.push_back(std::move(nic));
}

void NcclReader::take_pci(pugi::xml_node pci, int group, int depth) {
  if (depth > kDeepest)
    throw xml_.error(pci, "stands below more than " + std::to_string(kDeepest) + " others");
  check(pci, {"busid"}, {"class", "link_speed", "link_width", "device"},
        {"vendor", "subsystem_vendor", "subsystem_device", "keep"});
  const std::string type = pci.attribute("class").value();
  if (pci.child("gpu") || starts_with(type, "0x03")) return take_gpu(pci, group);
  if (pci.child("nic") || starts_with(type, "0x02")) return take_nic(pci, group);
  const std::string id = bus(pci);
  if (starts_with(type, "0x068000")) return void(++nvswitches_);
  if (type.empty() && !pci.first_child())
    throw xml_.error(
        pci,
        "has no class and holds no <gpu> or <nic>: what stands on this bus is known at run time "
        "only; dump the topology there, with NCCL_TOPO_DUMP_FILE");
  if (!pci.first_child() && !starts_with(type, "0x0604")) return void(++others_);
  const bool outermost = node_.groups[static_cast<std::size_t>(group)].bus.empty();
  const int own =
      outermost ? add_group(id, node_.groups[static_cast<std::size_t>(group)].numa) : group;
  for (const pugi::xml_node child : pci.children()) {
    if (child.name() == std::string("pcilink")) {
      ignored_.insert("pcilink");
      continue;
    }
    if (child.name() != std::string("pci"))
      throw xml_.error(
          child, "is unknown here" + suggestion(child.name(), {"pci", "gpu", "nic", "pcilink"}));
    take_pci(child, own, depth + 1);
  }
}

void NcclReader::take_cpu(pugi::xml_node cpu) {
  check(cpu, {"numaid"}, {"vendor", "arch"}, {"affinity", "familyid", "modelid", "host_hash"});
  const std::string vendor = cpu.attribute("vendor").value();
  if (vendor == "GenuineIntel") node_.cpu_vendor = "intel";
  if (vendor == "AuthenticAMD") node_.cpu_vendor = "amd";
  if (cpu.attribute("arch").value() == std::string("arm64")) node_.cpu_vendor = "arm";
  xml_.require_children(cpu, "pci");
  const int group = add_group("", integer(cpu, "numaid", -1, 0));
  for (const pugi::xml_node pci : cpu.children()) take_pci(pci, group, 1);
}

}  // namespace trainyard
