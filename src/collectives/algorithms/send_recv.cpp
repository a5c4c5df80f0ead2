// One message from rank 0 to rank 1: what a pipeline stage sends to the next.
#include "collectives/algorithms.hpp"

#include <cassert>

namespace trainyard {

bool send_recv_applies(const Collective& collective) { return collective.ranks == 2; }

std::vector<Phase> send_recv_phases(const Collective& collective) {
  if (collective.ranks == 1) return {};
  assert(send_recv_applies(collective));
  return {Phase{std::vector<Edge>{{Rank{0}, Rank{1}, collective.size}}, /*rounds=*/1}};
}

Schedule send_recv(const Collective& collective) {
  if (collective.ranks == 1) return {1, 1, {}};
  assert(send_recv_applies(collective));
  return {2, /*chunks=*/1, {{{Rank{0}, Rank{1}, /*chunk=*/0, /*reduce=*/false}}}};
}

}  // namespace trainyard
