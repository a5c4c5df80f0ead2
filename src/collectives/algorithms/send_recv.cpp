// Point to point. Of two ranks, one message from rank 0 to rank 1: what a pipeline stage sends to
// the next. Of more, one from each to the next, and from the last to the first: what nccl-tests'
// sendrecv does.
#include "collectives/algorithms.hpp"

namespace trainyard {

namespace {

int senders(const Collective& collective) {
  if (collective.ranks == 1) return 0;
  return collective.ranks == 2 ? 1 : collective.ranks;
}

}  // namespace

std::vector<Phase> send_recv_phases(const Collective& collective) {
  std::vector<Edge> edges;
  for (int from = 0; from < senders(collective); ++from)
    edges.push_back({Rank{from}, Rank{(from + 1) % collective.ranks}, collective.size});
  if (edges.empty()) return {};
  return {Phase{std::move(edges), /*rounds=*/1}};
}

Schedule send_recv(const Collective& collective) {
  Step step;
  for (int from = 0; from < senders(collective); ++from)
    step.push_back({Rank{from}, Rank{(from + 1) % collective.ranks}, /*chunk=*/from,
                    /*reduce=*/false});
  Schedule schedule{collective.ranks, /*chunks=*/collective.ranks, {}};
  if (!step.empty()) schedule.steps.push_back(std::move(step));
  return schedule;
}

}  // namespace trainyard
