// The table of algorithms, and the choice when the user made none.
#include "collectives/registry.hpp"

#include "collectives/algorithms.hpp"

#include <algorithm>
#include <cassert>

namespace trainyard {
namespace {

bool always(const Collective&) { return true; }

// Bytes sent one after the other: (n-2+c) S/c by the chain, ceil(log2 n) S by the tree.
bool chain_is_shorter(const Collective& collective) {
  const int chunks = chain_chunks(collective.size);
  const auto doublings = static_cast<int>(binomial_broadcast_phases(collective).size());
  return collective.ranks - 2 + chunks <= doublings * chunks;
}

const char* default_name(const Collective& collective) {
  switch (collective.kind) {
    case CollectiveKind::AllReduce:
      return two_level_applies(collective) ? "two_level" : "ring";
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
      return "ring";
    case CollectiveKind::AllToAll:
    case CollectiveKind::AllToAllV:
    case CollectiveKind::Gather:
    case CollectiveKind::Scatter:
      return "direct";
    case CollectiveKind::Barrier:
      return "dissemination";
    case CollectiveKind::Broadcast:
    case CollectiveKind::Reduce:
      return chain_is_shorter(collective) ? "chain" : "binomial";
    case CollectiveKind::SendRecv:
      return "send_recv";
  }
  return "";
}

using Kind = CollectiveKind;

// Every one of them, kind by kind.
const std::vector<AlgorithmEntry> kAlgorithms = {
    {"ring", Kind::AllReduce, ring_all_reduce_phases, ring_all_reduce, always,
     "reduce-scatter once round the ring, then all-gather once round: 2(n-1) rounds of S/n"},
    {"two_level", Kind::AllReduce, two_level_phases, two_level, two_level_applies,
     "reduce-scatter inside each node, ring all-reduce along each rail, all-gather inside"},
    {"double_binary_tree", Kind::AllReduce, double_binary_tree_phases, double_binary_tree, always,
     "NCCL's tree: chains inside nodes, two complementary trees over nodes, in chunks"},
    {"halving_doubling", Kind::AllReduce, halving_doubling_phases, halving_doubling,
     is_power_of_two, "Rabenseifner, n = 2^p: 2 log2 n rounds, 2(n-1)/n of the buffer in all"},
    {"recursive_doubling", Kind::AllReduce, recursive_doubling_phases, recursive_doubling,
     is_power_of_two, "n = 2^p: log2 n rounds, each of the whole buffer between partners"},
    {"nvls", Kind::AllReduce, nvls_all_reduce_phases, nvls_all_reduce, nvls_applies,
     "one node: the NVSwitch adds up and copies, each GPU moves S(1+1/n)", Offload::NvSwitch},
    {"nvls_tree", Kind::AllReduce, nvls_tree_phases, nvls_tree, nvls_tree_applies,
     "NVLS inside each node, a double binary tree along each rail, all streamed",
     Offload::NvSwitch},
    {"sharp", Kind::AllReduce, sharp_phases, sharp, sharp_applies,
     "the fabric's switches add up and copy, a tree a rail; pairs inside each node (CollNet)",
     Offload::Fabric},
    {"ring", Kind::AllGather, ring_all_gather_phases, ring_all_gather, always,
     "every rank's part once round the ring: n-1 rounds of S/n"},
    {"two_level", Kind::AllGather, two_level_all_gather_phases, two_level_all_gather,
     two_level_applies, "ring along each rail, then ring inside each node"},
    {"pat", Kind::AllGather, pat_all_gather_phases, pat_all_gather, pat_applies,
     "one rank a node: a binomial tree a chunk, all at once (NCCL's PAT): ceil(log2 n) rounds"},
    {"nvls", Kind::AllGather, nvls_all_gather_phases, nvls_all_gather, nvls_applies,
     "one node: each GPU stores its part into the NVSwitch, which copies it to all",
     Offload::NvSwitch},
    {"ring", Kind::ReduceScatter, ring_reduce_scatter_phases, ring_reduce_scatter, always,
     "every part once round the ring, added up on its way: n-1 rounds of S/n"},
    {"two_level", Kind::ReduceScatter, two_level_reduce_scatter_phases, two_level_reduce_scatter,
     two_level_applies, "ring inside each node, then ring along each rail"},
    {"pat", Kind::ReduceScatter, pat_reduce_scatter_phases, pat_reduce_scatter, pat_applies,
     "one rank a node: all-gather's trees backwards, adding up: ceil(log2 n) rounds"},
    {"nvls", Kind::ReduceScatter, nvls_reduce_scatter_phases, nvls_reduce_scatter, nvls_applies,
     "one node: the NVSwitch adds up what all GPUs hold of a part, and its GPU reads the sum",
     Offload::NvSwitch},
    {"direct", Kind::AllToAll, direct_phases, direct, always,
     "all pairs posted at once, as NCCL's grouped sends and receives: one round"},
    {"pairwise", Kind::AllToAll, pairwise_phases, pairwise, always,
     "one partner to send to and one to receive from at a time: n-1 rounds of S/n"},
    {"hierarchical", Kind::AllToAll, hierarchical_phases, hierarchical, hierarchical_applies,
     "inside each node to the receiver's rail, then along the rail (PXN): two rounds"},
    {"bruck", Kind::AllToAll, bruck_phases, bruck, always,
     "ceil(log2 n) rounds, each of about half of the buffer"},
    {"direct", Kind::AllToAllV, direct_v_phases, direct, always,
     "all pairs posted at once, each with its own size: one round"},
    {"chain", Kind::Broadcast, chain_phases, chain, always,
     "from rank to rank in chunks of 512 KiB, streamed, NCCL's ring: n-2+c steps of S/c"},
    {"binomial", Kind::Broadcast, binomial_broadcast_phases, binomial_broadcast, always,
     "whoever has the buffer sends it whole to one more: ceil(log2 n) rounds of S"},
    {"chain", Kind::Reduce, chain_phases, chain, always,
     "from rank to rank towards the root, streamed, NCCL's ring: n-2+c steps of S/c"},
    {"binomial", Kind::Reduce, binomial_reduce_phases, binomial_reduce, always,
     "a binomial broadcast backwards: ceil(log2 n) rounds of S"},
    {"direct", Kind::Gather, direct_root_phases, direct_root, always,
     "each rank sends its part to the root, all at once: one round"},
    {"direct", Kind::Scatter, direct_root_phases, direct_root, always,
     "the root sends each rank its part, all at once: one round"},
    {"dissemination", Kind::Barrier, dissemination_phases, dissemination, always,
     "ceil(log2 n) rounds without bytes, each to the rank twice as far on"},
    {"send_recv", Kind::SendRecv, send_recv_phases, send_recv, always,
     "of two ranks one message, of more one from each to the next"},
};

}  // namespace

const std::vector<AlgorithmEntry>& algorithms() { return kAlgorithms; }

const AlgorithmEntry* find_algorithm(CollectiveKind kind, const std::string& name) {
  const auto& all = algorithms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const AlgorithmEntry& entry) {
    return entry.kind == kind && entry.name == name;
  });
  return found == all.end() ? nullptr : &*found;
}

const AlgorithmEntry& default_algorithm(const Collective& collective) {
  const AlgorithmEntry* entry = find_algorithm(collective.kind, default_name(collective));
  assert(entry != nullptr);
  return *entry;
}

}  // namespace trainyard
