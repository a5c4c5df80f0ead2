// What is in use on every node: cores by socket, GPUs by index, memory.
//
// INVARIANT: what was added and not removed is exactly what is in use; nothing is given away twice,
// except cores that gang scheduling shares on purpose.
#pragma once

#include "schedulers/slurm/node_set.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace trainyard::slurm {

constexpr int kMostSockets = 8;
using CoresBySocket = std::array<std::int16_t, kMostSockets>;

// A job's part of one node.
struct NodeShare {
  int node = 0;
  CoresBySocket cores{};
  std::uint64_t gpus = 0;  // a bit per GPU
  long memory = 0;
  int cpus = 0;  // as Slurm counts them
};

struct Allocation {
  NodeSet nodes;
  std::vector<NodeShare> shares;  // ascending by node

  int cpus() const;
  int gpus() const;
};

struct NodeUse {
  CoresBySocket cores{};
  std::uint64_t gpus = 0;
  long memory = 0;
};

class ClusterUse {
public:
  ClusterUse() = default;
  explicit ClusterUse(int nodes) : nodes_(static_cast<std::size_t>(nodes)) {}

  const NodeUse& operator[](int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  NodeUse& operator[](int node) { return nodes_[static_cast<std::size_t>(node)]; }

  void add(const Allocation& allocation);
  void remove(const Allocation& allocation);
  void remove_cores(const Allocation& allocation);  // and keep GPUs and memory: a suspended job
  void add_cores(const Allocation& allocation);
  void release(const NodeShare& share);

private:
  std::vector<NodeUse> nodes_;
};

inline int gpu_count(std::uint64_t gpus) { return __builtin_popcountll(gpus); }

}  // namespace trainyard::slurm
