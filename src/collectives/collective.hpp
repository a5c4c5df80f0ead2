// A collective operation: what is to be done, not how.
//
// Sizes are nccl-tests' "total buffer": the buffer of an all-reduce or a broadcast, the whole
// gathered result of an all-gather, the whole input of a reduce-scatter, one rank's whole buffer of
// an all-to-all, the whole gathered result of a gather and the whole input of a scatter, the
// message of a send. A barrier moves no bytes whatever its size; an all-to-all-v has its own sizes.
#pragma once

#include "base/ids.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace trainyard {

enum class CollectiveKind {
  AllReduce,
  AllGather,
  ReduceScatter,
  AllToAll,
  AllToAllV,
  Broadcast,
  Reduce,
  Gather,
  Scatter,
  Barrier,
  SendRecv
};
const char* to_string(CollectiveKind kind);

// An order to go round, and its part of the buffer: weight / sum of all rings' weights.
struct Ring {
  std::vector<Rank> order;
  int weight = 1;
};

struct Collective {
  CollectiveKind kind = CollectiveKind::AllReduce;
  int ranks = 1;
  Bytes size;
  int ranks_per_node = 1;  // ranks are node by node, this many on each; 1 if it is not so regular
  Rank root{0};  // broadcast, reduce, gather, scatter; send/recv: of two, rank 0 sends to rank 1
  // What rings go by, filled in by who knows the platform; none: once round in the order of ranks.
  std::shared_ptr<const std::vector<Ring>> rings = {};
  // All-to-all-v: what `from` has for `to` at from*ranks+to; or, if all send alike, what each has
  // for `to`. None: an even all-to-all.
  std::shared_ptr<const std::vector<Bytes>> pair_sizes = {};
};

// What `from` has for `to` in an all-to-all, even or not.
Bytes pair_bytes(const Collective& collective, int from, int to);

// ---- What an algorithm emits: small ----

struct Edge {
  Rank from, to;
  Bytes bytes;  // over the whole phase
};

// Every ordered pair of different ranks of one group: `to[r]` bytes from each other rank of its
// group to rank r. A group is `group` ranks, `stride` apart: stride 1 for the ranks of a node, g
// for a rail through nodes of g.
struct AllPairs {
  int group = 1;
  int stride = 1;
  std::vector<Bytes> to;  // by rank

  // Member i of the group that the rank is in.
  Rank member(int rank, int i) const {
    const std::int64_t block = rank / (group * stride) * std::int64_t{group} * stride;
    return Rank{block + rank % stride + std::int64_t{i} * stride};
  }
};

// All ranks as one group; `to` gets chunk `to` of the buffer.
AllPairs all_pairs(Bytes size, int ranks);

// What one rank sends into a tree of switches, which add up what comes in from all their ranks, and
// what it gets of what they copy to all. A tree whose ranks share a node is that node's NVSwitch
// (NVLS), any other is one of switches of the fabric (SHARP). `tree` is the switches' rank in the
// schedule.
struct SwitchPort {
  Rank rank, tree;
  Bytes up, down;
};
struct InSwitch {
  std::vector<SwitchPort> ports;
};

// A stretch whose transfers are pipelined together: they progress at one rate, that of the slowest.
// Its time is rounds x (latency of its slowest edge), then its bytes. An edge's latency in a switch
// tree is that of its way in and of its way out.
struct Phase {
  std::variant<std::vector<Edge>, AllPairs, InSwitch> pattern;
  int rounds = 1;  // how often the slowest edge's latency stands on the critical path
  // Pipelined with the phase before: their latencies follow each other, their bytes are one group.
  bool with_previous = false;
};

// ---- The same spelled out ----

// Chunk c of `chunks` of a buffer: bytes size*c/chunks .. size*(c+1)/chunks, in whole bytes. So
// m consecutive chunks of m*n, from a multiple of m on, are exactly one chunk of n.
Bytes chunk_offset(Bytes size, std::int64_t chunks, std::int64_t chunk);
Bytes chunk_bytes(Bytes size, std::int64_t chunks, std::int64_t chunk);

struct Transfer {
  Rank from, to;
  std::int32_t chunk = 0;
  bool reduce = false;       // the receiver adds, instead of overwriting
  std::int32_t channel = 0;  // streamed: transfers of two channels do not wait for each other
};

using Step = std::vector<Transfer>;

// What a transfer waits for, beside the step's order:
enum class Pace {
  // Everything addressed to its sender in earlier steps has arrived, and the sender's own earlier
  // transfer to that peer has ended.
  Rounds,
  // The same, and all of the sender's own earlier transfers have ended (MPI's blocking sends).
  OneAtATime,
  // Everything of its own chunk that earlier steps address to its sender has arrived, and the
  // sender's earlier transfer to that peer has been sent: latency is paid once a hop, not once a
  // chunk (NCCL's channels).
  Streamed,
};

// INVARIANT: transfers of one step are independent: what they carry is what the sender held before
// the step. Transfers of one step and channel between the same two ranks are one message. A chunk
// of no bytes is still sent.
// All-gather, reduce-scatter, gather, scatter: `chunks` is a multiple of `ranks`, consecutive
// chunks belong to a rank. All-to-all: chunk from*ranks+to is what `from` has for `to`; its buffer
// of `size` is that rank's chunks. Ranks `ranks` and up are switches: they hold nothing at first,
// and what is added first is copied.
struct Schedule {
  int ranks = 0;
  int chunks = 0;
  std::vector<Step> steps;
  Pace pace = Pace::Rounds;
  int switches = 0;

  int places() const { return ranks + switches; }
};

// The bytes that one transfer of the schedule moves.
Bytes transfer_bytes(const Collective& collective, const Schedule& schedule,
                     const Transfer& transfer);

}  // namespace trainyard
