// What all policies on graphs share: a GPU's ports, distances, and the ends of a path inside the
// nodes.
#pragma once

#include "network/graph_table.hpp"
#include "network/node_paths.hpp"
#include "network/routing.hpp"

#include <algorithm>
#include <vector>

namespace trainyard {

class GraphRouting : public Routing {
public:
  // The NICs of one GPU.
  struct Ports {
    const NicId* first;
    const NicId* last;
    const NicId* begin() const { return first; }
    const NicId* end() const { return last; }
  };

  explicit GraphRouting(const Platform& platform)
      : platform_(platform), nodes_(platform), table_(platform) {
    for (const Gpu& gpu : platform.gpus) {
      starts_.push_back(nics_.size());
      if (gpu.nic.valid()) nics_.push_back(gpu.nic);
      nics_.insert(nics_.end(), gpu.more_nics.begin(), gpu.more_nics.end());
      several_ports_ |= !gpu.more_nics.empty();
    }
    starts_.push_back(nics_.size());
  }

  void append_path(GpuId from, GpuId to, int queue_pair,
                   std::vector<LinkShare>& out) const override {
    if (from != to) append(from, to, queue_pair, out);
  }

protected:
  struct Trip {
    GpuId from, to;
    Ports source, destination;
    int length;  // cables between switches
  };

  // From the GPU that has the NIC, to the destination.
  virtual Seconds cross_fabric(const Trip& trip, int queue_pair,
                               std::vector<LinkShare>& out) const = 0;

  // Appends the path and returns how long it takes; of several, the longest.
  Seconds append(GpuId from, GpuId to, int queue_pair, std::vector<LinkShare>& out) const {
    Seconds total;
    const auto cross = [&](LinkId link) {
      out.push_back({link, 1});
      total += of(link);
    };
    if (nodes_.meet(from, to)) {
      nodes_.between(from, to, cross);
      return total;
    }
    const GpuId sender = nodes_.leaves_by(from, to);
    if (sender != from) nodes_.between(from, sender, cross);
    Trip trip = {sender, to, ports(sender), ports(to), GraphTable::kFar};
    for (const NicId port : trip.source)
      trip.length = std::min(trip.length, distance(leaf(port), trip.destination));
    if (trip.length == GraphTable::kFar) throw unreachable(platform_, from, to);
    return total + cross_fabric(trip, queue_pair, out);
  }

  const Nic& nic(NicId id) const { return platform_.nics[id.index()]; }
  SwitchId leaf(NicId id) const { return nic(id).leaf; }
  Seconds of(LinkId link) const { return platform_.links[link.index()].latency; }
  const GraphTable& table() const { return table_; }
  const NodePaths& nodes() const { return nodes_; }
  const Platform& platform() const { return platform_; }
  bool several_ports() const { return several_ports_; }  // of any GPU

  int distance(SwitchId at, const Ports& destination) const {
    int nearest = GraphTable::kFar;
    for (const NicId port : destination)
      nearest = std::min(nearest, table_.distance(at, leaf(port)));
    return nearest;
  }

private:
  Ports ports(GpuId gpu) const {
    return {nics_.data() + starts_[gpu.index()], nics_.data() + starts_[gpu.index() + 1]};
  }

  const Platform& platform_;
  NodePaths nodes_;
  GraphTable table_;
  std::vector<NicId> nics_;          // of all GPUs, GPU by GPU
  std::vector<std::size_t> starts_;  // by GPU, and one past the last
  bool several_ports_ = false;
};

}  // namespace trainyard
