#include "actors/job_traffic.hpp"

#include "actors/isolated_step.hpp"

#include <map>

namespace trainyard {

namespace {

// How often each channel is played in a step: the tickets its operations hand in, by how many it
// takes.
std::vector<double> plays_of(const StepModel& model) {
  std::vector<double> tickets(model.channels.size(), 0);
  for (const RankClass& one : model.classes)
    for (const PlayOperation& operation : one.operations)
      if (operation.channel >= 0)
        tickets[static_cast<std::size_t>(operation.channel)] += operation.tickets;
  for (std::size_t i = 0; i < tickets.size(); ++i) tickets[i] /= model.channels[i].tickets;
  return tickets;
}

}  // namespace

JobTraffic job_traffic(const StepModel& model, const Machine& machine) {
  const std::vector<double> plays = plays_of(model);
  std::map<LinkId, double> bytes;
  for (std::size_t i = 0; i < plays.size(); ++i)
    for (const auto& group : model.channels[i].groups)
      for (const Demand& demand : group->demands)
        bytes[demand.link] += plays[i] * demand.load * group->length;
  JobTraffic traffic{isolated_step(model, machine), {}};
  traffic.links.reserve(bytes.size());
  for (const auto& [link, sum] : bytes) traffic.links.push_back({link, sum});
  return traffic;
}

}  // namespace trainyard
