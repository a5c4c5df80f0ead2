// All-reduce between partners at distance 2^b, for n a power of two.
//
// Recursive doubling exchanges the whole buffer log2 n times: least latency. Halving-doubling
// (Rabenseifner) halves what is exchanged in each of log2 n steps of a reduce-scatter, and doubles
// it again in an all-gather: a ring's bytes at logarithmic latency.
//
// INVARIANT: after the halving step of bit b, rank r holds the sum (over the partners so far) of
// the chunks whose number has r's bits from b on.
#include "collectives/algorithms.hpp"

#include <utility>

namespace trainyard {
namespace {

int bits_of(int n) {
  int bits = 0;
  while (1 << bits < n) ++bits;
  return bits;
}

Rank partner(int rank, int bit) { return Rank{rank ^ 1 << bit}; }

// Every rank to its partner of that bit, carried(rank) bytes.
template <typename Carried>
Phase exchange(int ranks, int bit, const Carried& carried) {
  std::vector<Edge> edges;
  for (int rank = 0; rank < ranks; ++rank)
    edges.push_back({Rank{rank}, partner(rank, bit), carried(rank)});
  return {std::move(edges), /*rounds=*/1};
}

// The chunks first .. first + 2^bit - 1 that share `rank`'s bits from `bit` on.
int first_chunk(int rank, int bit) { return rank >> bit << bit; }

Step exchange_of(int ranks, int bit, bool reduce) {
  Step step;
  for (int rank = 0; rank < ranks; ++rank) {
    const Rank to = partner(rank, bit);
    const int first = first_chunk(reduce ? to.value() : rank, bit);
    for (int i = 0; i < 1 << bit; ++i) step.push_back({Rank{rank}, to, first + i, reduce});
  }
  return step;
}

}  // namespace

bool is_power_of_two(const Collective& collective) {
  return (collective.ranks & (collective.ranks - 1)) == 0;
}

std::vector<Phase> recursive_doubling_phases(const Collective& collective) {
  std::vector<Phase> phases;
  for (int bit = 0; bit < bits_of(collective.ranks); ++bit)
    phases.push_back(exchange(collective.ranks, bit, [&](int) { return collective.size; }));
  return phases;
}

Schedule recursive_doubling(const Collective& collective) {
  Schedule schedule{collective.ranks, /*chunks=*/1, {}};
  for (int bit = 0; bit < bits_of(collective.ranks); ++bit) {
    Step step;
    for (int rank = 0; rank < collective.ranks; ++rank)
      step.push_back({Rank{rank}, partner(rank, bit), /*chunk=*/0, /*reduce=*/true});
    schedule.steps.push_back(std::move(step));
  }
  return schedule;
}

std::vector<Phase> halving_doubling_phases(const Collective& collective) {
  const int n = collective.ranks;
  const auto block = [&](int rank, int bit) {
    const std::int64_t first = first_chunk(rank, bit);
    return chunk_offset(collective.size, n, first + (1 << bit)) -
           chunk_offset(collective.size, n, first);
  };
  std::vector<Phase> phases;
  for (int bit = bits_of(n) - 1; bit >= 0; --bit)
    phases.push_back(
        exchange(n, bit, [&](int rank) { return block(partner(rank, bit).value(), bit); }));
  for (int bit = 0; bit < bits_of(n); ++bit)
    phases.push_back(exchange(n, bit, [&](int rank) { return block(rank, bit); }));
  return phases;
}

Schedule halving_doubling(const Collective& collective) {
  const int n = collective.ranks;
  Schedule schedule{n, /*chunks=*/n, {}};
  for (int bit = bits_of(n) - 1; bit >= 0; --bit)
    schedule.steps.push_back(exchange_of(n, bit, /*reduce=*/true));
  for (int bit = 0; bit < bits_of(n); ++bit)
    schedule.steps.push_back(exchange_of(n, bit, /*reduce=*/false));
  return schedule;
}

}  // namespace trainyard
