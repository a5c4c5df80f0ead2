// How a buffer is cut into chunks, and what the kinds of collective are called.
#include "collectives/collective.hpp"

namespace trainyard {

const char* to_string(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::AllReduce:
      return "all_reduce";
    case CollectiveKind::AllGather:
      return "all_gather";
    case CollectiveKind::ReduceScatter:
      return "reduce_scatter";
    case CollectiveKind::AllToAll:
      return "all_to_all";
    case CollectiveKind::Broadcast:
      return "broadcast";
    case CollectiveKind::SendRecv:
      return "send_recv";
  }
  return "unknown";
}

// floor(size*chunk/chunks), without forming a product that could overflow for a petabyte.
Bytes chunk_offset(Bytes size, std::int64_t chunks, std::int64_t chunk) {
  const std::int64_t whole = size.count() / chunks;
  const std::int64_t rest = size.count() % chunks;
  return bytes(whole * chunk + rest * chunk / chunks);
}

Bytes chunk_bytes(Bytes size, std::int64_t chunks, std::int64_t chunk) {
  return chunk_offset(size, chunks, chunk + 1) - chunk_offset(size, chunks, chunk);
}

AllPairs all_pairs(Bytes size, int ranks) {
  AllPairs pairs{/*group=*/ranks, /*stride=*/1, {}};
  pairs.to.reserve(static_cast<std::size_t>(ranks));
  for (int to = 0; to < ranks; ++to) pairs.to.push_back(chunk_bytes(size, ranks, to));
  return pairs;
}

Bytes transfer_bytes(const Collective& collective, const Schedule& schedule,
                     const Transfer& transfer) {
  if (collective.kind == CollectiveKind::AllToAll)
    return chunk_bytes(collective.size, collective.ranks, transfer.chunk % collective.ranks);
  return chunk_bytes(collective.size, schedule.chunks, transfer.chunk);
}

}  // namespace trainyard
