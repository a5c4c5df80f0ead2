// A collective operation: what is to be done, not how.
//
// Sizes are nccl-tests' "total buffer": the buffer of an all-reduce or a broadcast, the whole
// gathered result of an all-gather, the whole input of a reduce-scatter, one rank's whole buffer of
// an all-to-all, the message of a send.
#pragma once

#include "base/ids.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace trainyard {

enum class CollectiveKind { AllReduce, AllGather, ReduceScatter, AllToAll, Broadcast, SendRecv };
const char* to_string(CollectiveKind kind);

struct Collective {
  CollectiveKind kind = CollectiveKind::AllReduce;
  int ranks = 1;
  Bytes size;
  int ranks_per_node = 1;  // ranks are node by node, this many on each; 1 if it is not so regular
  Rank root{0};            // broadcast; send/recv: rank 0 sends to rank 1
};

// ---- What an algorithm emits: small ----

struct Edge {
  Rank from, to;
  Bytes bytes;  // over the whole phase
};

// Every ordered pair of different ranks, `bytes` each; pair (r, r) costs nothing. When size/ranks
// is not whole, pair (from, to) carries chunk `to` of the buffer: chunk_bytes(size, ranks, to).
struct AllPairs {
  Bytes size;
};

// A stretch whose transfers are pipelined together: they progress at one rate, that of the slowest.
// Its time is rounds x (latency of its slowest edge), then its bytes.
struct Phase {
  std::variant<std::vector<Edge>, AllPairs> pattern;
  int rounds = 1;  // how often the slowest edge's latency stands on the critical path
};

// ---- The same spelled out ----

// Chunk c of `chunks` of a buffer: bytes size*c/chunks .. size*(c+1)/chunks, in whole bytes. So
// m consecutive chunks of m*n, from a multiple of m on, are exactly one chunk of n.
Bytes chunk_offset(Bytes size, std::int64_t chunks, std::int64_t chunk);
Bytes chunk_bytes(Bytes size, std::int64_t chunks, std::int64_t chunk);

struct Transfer {
  Rank from, to;
  std::int32_t chunk = 0;
  bool reduce = false;  // the receiver adds, instead of overwriting
};

using Step = std::vector<Transfer>;

// INVARIANT: transfers of one step are independent (what they carry is what the sender held before
// the step); a rank starts step k once everything addressed to it in earlier steps has arrived and
// its own earlier transfer to that peer has ended. Transfers of one step between the same two ranks
// are one message. A chunk of no bytes is still sent.
// All-gather, reduce-scatter: `chunks` is a multiple of `ranks`, consecutive chunks belong to a
// rank. All-to-all: chunk from*ranks+to is what `from` has for `to`; its buffer of `size` is that
// rank's chunks.
struct Schedule {
  int ranks = 0;
  int chunks = 0;
  std::vector<Step> steps;
};

// The bytes that one transfer of the schedule moves.
Bytes transfer_bytes(const Collective& collective, const Schedule& schedule,
                     const Transfer& transfer);

}  // namespace trainyard
