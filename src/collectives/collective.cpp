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
    case CollectiveKind::AllToAllV:
      return "all_to_all_v";
    case CollectiveKind::Broadcast:
      return "broadcast";
    case CollectiveKind::Reduce:
      return "reduce";
    case CollectiveKind::Gather:
      return "gather";
    case CollectiveKind::Scatter:
      return "scatter";
    case CollectiveKind::Barrier:
      return "barrier";
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

Bytes pair_bytes(const Collective& collective, int from, int to) {
  if (!collective.pair_sizes) return chunk_bytes(collective.size, collective.ranks, to);
  const std::vector<Bytes>& sizes = *collective.pair_sizes;
  const auto n = static_cast<std::size_t>(collective.ranks);
  const auto column = static_cast<std::size_t>(to);
  return sizes.size() == n ? sizes[column] : sizes[static_cast<std::size_t>(from) * n + column];
}

AllPairs all_pairs(Bytes size, int ranks) {
  AllPairs pairs{/*group=*/ranks, /*stride=*/1, {}};
  pairs.to.reserve(static_cast<std::size_t>(ranks));
  for (int to = 0; to < ranks; ++to) pairs.to.push_back(chunk_bytes(size, ranks, to));
  return pairs;
}

Bytes transfer_bytes(const Collective& collective, const Schedule& schedule,
                     const Transfer& transfer) {
  if (collective.kind == CollectiveKind::Barrier) return bytes(0);
  if (collective.kind == CollectiveKind::SendRecv) return collective.size;
  if (collective.kind == CollectiveKind::AllToAll || collective.kind == CollectiveKind::AllToAllV)
    return pair_bytes(collective, transfer.chunk / collective.ranks,
                      transfer.chunk % collective.ranks);
  return chunk_bytes(collective.size, schedule.chunks, transfer.chunk);
}

}  // namespace trainyard
