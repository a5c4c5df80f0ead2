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
Schedule ring_all_reduce(const Collective& collective);
std::vector<Phase> ring_all_gather_phases(const Collective& collective);
Schedule ring_all_gather(const Collective& collective);
std::vector<Phase> ring_reduce_scatter_phases(const Collective& collective);
Schedule ring_reduce_scatter(const Collective& collective);

std::vector<Phase> pat_all_gather_phases(const Collective& collective);
Schedule pat_all_gather(const Collective& collective);
std::vector<Phase> pat_reduce_scatter_phases(const Collective& collective);
Schedule pat_reduce_scatter(const Collective& collective);
bool pat_applies(const Collective& collective);

std::vector<Phase> two_level_phases(const Collective& collective);
Schedule two_level(const Collective& collective);
bool two_level_applies(const Collective& collective);
std::vector<Phase> two_level_all_gather_phases(const Collective& collective);
Schedule two_level_all_gather(const Collective& collective);
std::vector<Phase> two_level_reduce_scatter_phases(const Collective& collective);
Schedule two_level_reduce_scatter(const Collective& collective);

std::vector<Phase> double_binary_tree_phases(const Collective& collective);
Schedule double_binary_tree(const Collective& collective);
std::vector<Phase> recursive_doubling_phases(const Collective& collective);
Schedule recursive_doubling(const Collective& collective);
std::vector<Phase> halving_doubling_phases(const Collective& collective);
Schedule halving_doubling(const Collective& collective);
bool is_power_of_two(const Collective& collective);

std::vector<Phase> nvls_all_reduce_phases(const Collective& collective);
Schedule nvls_all_reduce(const Collective& collective);
std::vector<Phase> nvls_all_gather_phases(const Collective& collective);
Schedule nvls_all_gather(const Collective& collective);
std::vector<Phase> nvls_reduce_scatter_phases(const Collective& collective);
Schedule nvls_reduce_scatter(const Collective& collective);
bool nvls_applies(const Collective& collective);
std::vector<Phase> nvls_tree_phases(const Collective& collective);
Schedule nvls_tree(const Collective& collective);
bool nvls_tree_applies(const Collective& collective);
std::vector<Phase> sharp_phases(const Collective& collective);
Schedule sharp(const Collective& collective);
bool sharp_applies(const Collective& collective);

std::vector<Phase> pairwise_phases(const Collective& collective);
Schedule pairwise(const Collective& collective);
std::vector<Phase> direct_phases(const Collective& collective);
Schedule direct(const Collective& collective);
std::vector<Phase> direct_v_phases(const Collective& collective);
std::vector<Phase> bruck_phases(const Collective& collective);
Schedule bruck(const Collective& collective);
std::vector<Phase> hierarchical_phases(const Collective& collective);
Schedule hierarchical(const Collective& collective);
bool hierarchical_applies(const Collective& collective);

std::vector<Phase> binomial_broadcast_phases(const Collective& collective);
Schedule binomial_broadcast(const Collective& collective);
std::vector<Phase> binomial_reduce_phases(const Collective& collective);
Schedule binomial_reduce(const Collective& collective);
std::vector<Phase> chain_phases(const Collective& collective);
Schedule chain(const Collective& collective);
int chain_chunks(Bytes size);

std::vector<Phase> direct_root_phases(const Collective& collective);
Schedule direct_root(const Collective& collective);
std::vector<Phase> dissemination_phases(const Collective& collective);
Schedule dissemination(const Collective& collective);
std::vector<Phase> send_recv_phases(const Collective& collective);
Schedule send_recv(const Collective& collective);

}  // namespace trainyard
