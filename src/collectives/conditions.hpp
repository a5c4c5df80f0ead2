// What a collective means, independent of any algorithm: whose data a rank holds of each chunk
// before it, and whose it must hold after it. Nobody else's can get in: before, a chunk is held
// only by ranks whose data belong in the result.
#pragma once

#include "collectives/collective.hpp"

namespace trainyard {

// Contributors first .. last-1 of one chunk; none: nothing held, or nothing required.
struct Contributors {
  int first = 0, last = 0;

  bool none() const { return first == last; }
};

inline Contributors only(int rank) { return {rank, rank + 1}; }

struct Conditions {
  CollectiveKind kind;
  int ranks, chunks, root;

  int owner(int chunk) const { return chunk / (chunks / ranks); }
  // Whether hearing the same twice does no harm.
  bool idempotent() const { return kind == CollectiveKind::Barrier; }

  Contributors before(int rank, int chunk) const {
    switch (kind) {
      case CollectiveKind::AllReduce:
      case CollectiveKind::ReduceScatter:
      case CollectiveKind::Reduce:
      case CollectiveKind::Barrier:
        return only(rank);
      case CollectiveKind::AllGather:
      case CollectiveKind::AllToAll:
      case CollectiveKind::AllToAllV:
      case CollectiveKind::Gather:
        return owner(chunk) == rank ? only(rank) : Contributors{};
      case CollectiveKind::Broadcast:
      case CollectiveKind::Scatter:
        return rank == root ? only(root) : Contributors{};
      case CollectiveKind::SendRecv:
        return chunk == rank ? only(rank) : Contributors{};
    }
    return {};
  }

  Contributors after(int rank, int chunk) const {
    const Contributors everybody{0, ranks};
    switch (kind) {
      case CollectiveKind::AllReduce:
      case CollectiveKind::Barrier:
        return everybody;
      case CollectiveKind::Reduce:
        return rank == root ? everybody : Contributors{};
      case CollectiveKind::ReduceScatter:
        return owner(chunk) == rank ? everybody : Contributors{};
      case CollectiveKind::AllGather:
        return only(owner(chunk));
      case CollectiveKind::Gather:
        return rank == root ? only(owner(chunk)) : Contributors{};
      case CollectiveKind::Scatter:
        return owner(chunk) == rank ? only(root) : Contributors{};
      case CollectiveKind::AllToAll:
      case CollectiveKind::AllToAllV:
        return chunk % ranks == rank ? only(owner(chunk)) : Contributors{};
      case CollectiveKind::Broadcast:
        return only(root);
      case CollectiveKind::SendRecv:
        if (ranks == 1) return {};
        if (ranks == 2) return rank == 1 && chunk == 0 ? only(0) : Contributors{};
        return rank == (chunk + 1) % ranks ? only(chunk) : Contributors{};
    }
    return {};
  }
};

}  // namespace trainyard
