#include "schedulers/placements/contention.hpp"

#include <algorithm>

namespace trainyard {

namespace {

double busy_for(const LinkBytes& use, const Capacities& capacities) {
  return use.bytes / capacities[use.link.index()];
}

}  // namespace

void add_busy(const JobTraffic& job, const Capacities& capacities, Busy& busy) {
  for (const LinkBytes& use : job.links)
    busy[use.link] += busy_for(use, capacities) / in_seconds(job.step);
}

Seconds predicted_delay(const JobTraffic& job, const Busy& rivals, const Capacities& capacities) {
  double worst = 0;
  for (const LinkBytes& use : job.links) {
    const auto busy = rivals.find(use.link);
    if (busy != rivals.end()) worst = std::max(worst, busy_for(use, capacities) * busy->second);
  }
  return seconds(worst);
}

double predicted_loss(const Newcomer& newcomer, const std::vector<Neighbour>& neighbours,
                      const Capacities& capacities) {
  Busy before, alone;
  add_busy(newcomer.traffic, capacities, alone);
  for (const Neighbour& neighbour : neighbours) add_busy(neighbour.traffic, capacities, before);
  const Seconds step =
      newcomer.traffic.step + predicted_delay(newcomer.traffic, before, capacities);
  double loss = newcomer.gpus * (step / newcomer.best_step - 1);
  for (const Neighbour& neighbour : neighbours) {
    Busy rivals = before;
    for (const LinkBytes& use : neighbour.traffic.links)
      rivals[use.link] -= busy_for(use, capacities) / in_seconds(neighbour.traffic.step);
    const Seconds without = predicted_delay(neighbour.traffic, rivals, capacities);
    for (const auto& [link, busy] : alone) rivals[link] += busy;
    const Seconds with = predicted_delay(neighbour.traffic, rivals, capacities);
    loss += neighbour.gpus * ((with - without) / neighbour.traffic.step);
  }
  return loss;
}

}  // namespace trainyard
