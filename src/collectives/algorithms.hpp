// What each algorithm's file offers to the registry; everybody else asks the registry.
//
// Each algorithm is derived twice, and the two share nothing but chunk_bytes(): `..._phases` adds
// up what every edge carries, without the order; the function of the algorithm's own name spells
// out who sends which chunk when. The property tests hold one against the other. One rank has
// nothing to do: no phases, no steps.
#pragma once

#include "collectives/collective.hpp"

#include <vector>

namespace trainyard {

std::vector<Phase> ring_all_reduce_phases(const Collective& collective);
std::vector<Phase> ring_all_gather_phases(const Collective& collective);
std::vector<Phase> ring_reduce_scatter_phases(const Collective& collective);
Schedule ring_all_reduce(const Collective& collective);
Schedule ring_all_gather(const Collective& collective);
Schedule ring_reduce_scatter(const Collective& collective);

std::vector<Phase> two_level_phases(const Collective& collective);
Schedule two_level(const Collective& collective);
bool two_level_applies(const Collective& collective);

std::vector<Phase> pairwise_phases(const Collective& collective);
std::vector<Phase> direct_phases(const Collective& collective);
Schedule pairwise(const Collective& collective);
Schedule direct(const Collective& collective);

std::vector<Phase> binomial_phases(const Collective& collective);
Schedule binomial(const Collective& collective);

std::vector<Phase> chain_phases(const Collective& collective);
Schedule chain(const Collective& collective);
int chain_chunks(Bytes size);

std::vector<Phase> send_recv_phases(const Collective& collective);
Schedule send_recv(const Collective& collective);
bool send_recv_applies(const Collective& collective);

}  // namespace trainyard
