// NCCL's topology file: what stands in one node, as NCCL_TOPO_DUMP_FILE writes it and
// NCCL_TOPO_FILE reads it.
//
//   system > cpu > pci (nested) > gpu > nvlink, and pci > nic > net
// Clouds ship files of PCIe only: their GPUs and NICs are known by the class of the PCI device, and
// how fast NVLink and the network are must come from elsewhere. Files without classes name nothing
// and are refused. Rates are NCCL's: PCIe link_width x link_speed / 80, NVLink count x the rate of
// the GPU's generation, net speed in Mbit/s.
//
// Holds: bus ids are unique; GPUs and NICs stand in the order of `dev`, or of their bus ids.
#pragma once

#include "base/error.hpp"
#include "base/quantity.hpp"

#include <map>
#include <string>
#include <vector>

namespace trainyard {

struct NcclGpu {
  std::string bus;
  int dev = -1;                           // -1: not said
  int sm = 0;                             // 80, 90, 100 ...; 0: not said
  int switch_links = 0;                   // NVLinks to NVSwitches, which NCCL takes for one
  std::map<std::string, int> pair_links;  // to the GPU on that bus
  Bandwidth pcie;
  int group = 0;  // the PCIe switch below a CPU, or the CPU
  Place place;
};

struct NcclNic {
  std::string bus;
  std::string name;  // "mlx5_0", or empty
  int dev = -1;
  Bandwidth rate;  // zero: not said
  Bandwidth pcie;
  int group = 0;
  bool efa = false;
  Place place;
};

// GPUs and NICs that meet below one PCIe switch, or at a CPU.
struct NcclGroup {
  std::string bus;  // of the switch; empty for a CPU
  int numa = 0;
};

struct NcclNode {
  std::vector<NcclGpu> gpus;
  std::vector<NcclNic> nics;
  std::vector<NcclGroup> groups;
  std::string cpu_vendor;          // "intel", "amd", "arm" or empty
  bool filled_in = false;          // some GPU is described by <gpu>: what NVLink there is, is said
  Place place;                     // of the whole
  std::vector<std::string> notes;  // what was ignored
};

NcclNode parse_nccl_topology(const std::string& file, const std::string& text);

// PCIe by NCCL's table: "16 GT/s" and 16 lanes are 24 GB/s. Zero if it is no such speed.
Bandwidth nccl_pcie_rate(const std::string& link_speed, int link_width);

}  // namespace trainyard
