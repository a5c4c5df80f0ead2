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
  const auto doublings = static_cast<int>(binomial_phases(collective).size());
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
      return "direct";
    case CollectiveKind::Broadcast:
      return chain_is_shorter(collective) ? "chain" : "binomial";
    case CollectiveKind::SendRecv:
      return "send_recv";
  }
  return "";
}

}  // namespace

const std::vector<AlgorithmEntry>& algorithms() {
  using Kind = CollectiveKind;
  static const std::vector<AlgorithmEntry> all = {
      {"ring", Kind::AllReduce, ring_all_reduce_phases, ring_all_reduce, always,
       "reduce-scatter once round the ring, then all-gather once round: 2(n-1) rounds of S/n"},
      {"two_level", Kind::AllReduce, two_level_phases, two_level, two_level_applies,
       "reduce-scatter inside each node, ring all-reduce along each rail, all-gather inside"},
      {"ring", Kind::AllGather, ring_all_gather_phases, ring_all_gather, always,
       "every rank's part once round the ring: n-1 rounds of S/n"},
      {"ring", Kind::ReduceScatter, ring_reduce_scatter_phases, ring_reduce_scatter, always,
       "every part once round the ring, added up on its way: n-1 rounds of S/n"},
      {"direct", Kind::AllToAll, direct_phases, direct, always,
       "all pairs posted at once, as NCCL's grouped sends and receives: one round"},
      {"pairwise", Kind::AllToAll, pairwise_phases, pairwise, always,
       "one partner to send to and one to receive from at a time: n-1 rounds of S/n"},
      {"chain", Kind::Broadcast, chain_phases, chain, always,
       "from rank to rank in chunks of 512 KiB or more, NCCL's ring: n-2+c rounds of S/c"},
      {"binomial", Kind::Broadcast, binomial_phases, binomial, always,
       "whoever has the buffer sends it whole to one more: ceil(log2 n) rounds of S"},
      {"send_recv", Kind::SendRecv, send_recv_phases, send_recv, send_recv_applies,
       "one message from rank 0 to rank 1"},
  };
  return all;
}

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
