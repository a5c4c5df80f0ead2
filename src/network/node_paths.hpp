// The parts of a path that lie inside a node or an NVLink domain: between two GPUs, and between a
// GPU and its NIC.
//
// Between two GPUs, in this order, as NCCL prefers (its path types NVL, NVB, PIX, PHB):
//   1. the NVSwitch of their domain, or the NVLink that joins them
//   2. NVLink through one GPU between: with the most bandwidth; of equals, the first
//   3. PCIe: their common switch, or the host between their switches
// Each function calls visit(LinkId) for the links in the order they are crossed.
#pragma once

#include "network/routing.hpp"

#include <vector>

namespace trainyard {

class NodePaths {
public:
  explicit NodePaths(const Platform& platform);

  // The GPUs of a node, or of an NVLink domain of several: no two of them need a NIC.
  std::int64_t box(GpuId id) const { return boxes_[gpu(id).node.index()]; }
  bool meet(GpuId from, GpuId to) const { return box(from) == box(to); }

  template <typename Visit>
  void between(GpuId from, GpuId to, const Visit& visit) const {
    const Gpu& a = gpu(from);
    const Gpu& b = gpu(to);
    if (a.nvlink_up.valid() && b.nvlink_up.valid()) {
      visit(a.nvlink_up);
      visit(b.nvlink_down);
    } else if (!peers_.empty() && visit_peers(from, to, visit)) {
      return;
    } else {
      visit_pcie(a.pcie, a.pcie_up, b.pcie, b.pcie_down, visit);
    }
  }

  template <typename Visit>
  void to_nic(GpuId from, const Nic& nic, const Visit& visit) const {
    const Gpu& a = gpu(from);
    if (a.pcie_up.valid()) visit_pcie(a.pcie, a.pcie_up, nic.pcie, nic.pcie_down, visit);
  }

  template <typename Visit>
  void from_nic(const Nic& nic, GpuId to, const Visit& visit) const {
    const Gpu& b = gpu(to);
    if (b.pcie_up.valid()) visit_pcie(nic.pcie, nic.pcie_up, b.pcie, b.pcie_down, visit);
  }

  // The GPU by whose NIC traffic to a GPU of another node leaves: `from` itself, or with PXN the
  // GPU of its node that is on the destination's rail, if NVLink leads there.
  GpuId leaves_by(GpuId from, GpuId to) const {
    return rails_.empty() || rails_[from.index()] == rails_[to.index()] ? from : relay(from, to);
  }

  // For all destinations of one place (outside its own box), a GPU's traffic leaves by the same
  // GPU.
  std::int64_t place(GpuId to) const {
    if (rails_.empty()) return 0;
    const std::int64_t local = to.value() - platform_.node_of(to).first_gpu.value();
    return rails_[to.index()] * (std::int64_t{1} << 32U) + local;
  }

private:
  struct Peer {
    GpuId gpu;
    LinkId out;
    Bandwidth bandwidth;
  };

  const Gpu& gpu(GpuId id) const { return platform_.gpus[id.index()]; }
  GpuId relay(GpuId from, GpuId to) const;
  const Peer* peer(GpuId from, GpuId to) const;
  const Peer* peer_between(GpuId from, GpuId to) const;

  template <typename Visit>
  bool visit_peers(GpuId from, GpuId to, const Visit& visit) const {
    const Peer* first = peer(from, to);
    if (first == nullptr) first = peer_between(from, to);
    if (first == nullptr) return false;
    visit(first->out);
    if (first->gpu != to) visit(peer(first->gpu, to)->out);
    return true;
  }

  template <typename Visit>
  void visit_pcie(PcieId from, LinkId up, PcieId to, LinkId down, const Visit& visit) const {
    visit(up);
    if (from != to) {
      visit(platform_.pcie_switches[from.index()].up);
      visit(platform_.pcie_switches[to.index()].down);
    }
    visit(down);
  }

  const Platform& platform_;
  std::vector<std::int64_t> boxes_;       // by node
  std::vector<std::vector<Peer>> peers_;  // by GPU; empty if no two are joined directly
  std::vector<std::int32_t> rails_;       // by GPU: its NIC's number in its node; empty without PXN
};

}  // namespace trainyard
