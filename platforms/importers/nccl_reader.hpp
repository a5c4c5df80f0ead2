// Reads the elements of an NCCL topology file; for nccl_topology only: pugixml shows here.
#pragma once

#include "platforms/importers/nccl_topology.hpp"
#include "platforms/xml_file.hpp"

#include <set>
#include <string>
#include <vector>

namespace trainyard {

class NcclReader {
public:
  using Names = std::vector<std::string>;

  NcclReader(const std::string& file, const std::string& text) : xml_(file, text) {}
  NcclNode read();

private:
  void take_cpu(pugi::xml_node cpu);
  void take_pci(pugi::xml_node pci, int group, int depth);
  void take_gpu(pugi::xml_node pci, int group);
  void take_nvlink(pugi::xml_node link, NcclGpu& gpu);
  void take_nic(pugi::xml_node pci, int group);
  void take_net(pugi::xml_node net, NcclNic nic);
  void check(pugi::xml_node element, const Names& required, const Names& modelled,
             const Names& ignored);
  void check_pairs();
  int integer(pugi::xml_node element, const char* name, int least, int fallback);
  std::string bus(pugi::xml_node pci);
  Bandwidth pcie_rate(pugi::xml_node pci);
  int add_group(const std::string& bus, int numa);
  void finish();

  XmlFile xml_;
  NcclNode node_;
  std::set<std::string> buses_, ignored_;
  int unrated_ = 0, nvswitches_ = 0, others_ = 0;
};

}  // namespace trainyard
