#include "network/simgrid_network.hpp"

#include "collectives/messages.hpp"

#include <stdexcept>
#include <string>

namespace trainyard {

namespace s4u = simgrid::s4u;

SimgridNetwork::SimgridNetwork(Fluid& fluid, std::vector<s4u::Host*> hosts,
                               const Platform& platform, const Routing& routing)
    : fluid_(fluid), hosts_(std::move(hosts)), routing_(routing), bytes_(platform.links.size()) {
  s4u::Activity::on_completion_cb([this](const s4u::Activity& activity) {
    const auto flight = flights_.find(&activity);
    if (flight == flights_.end()) return;
    const Flight which = flight->second;
    flights_.erase(flight);
    arrived(which.run, which.message);
  });
}

// The schedule's messages with what each waits for.
void SimgridNetwork::spell_out(const CollectiveSpec& spec, const Schedule& schedule,
                               const std::vector<GpuId>& gpus, Prepare& prepare) {
  const std::size_t first = prepare.messages.size();
  const std::vector<trainyard::Message> messages = messages_of(schedule);
  for (const trainyard::Message& spelled : messages) {
    const int id = static_cast<int>(prepare.messages.size());
    Message message;
    message.from = gpus[spelled.from.index()];
    message.to = gpus[spelled.to.index()];
    message.size = message_bytes(spec.collective, schedule, spelled);
    for (const auto* earlier : {&spelled.arrivals, &spelled.departures})
      for (const int index : *earlier) {
        prepare.messages[first + static_cast<std::size_t>(index)].enables.push_back(id);
        ++message.waits_for;
      }
    prepare.messages.push_back(std::move(message));
  }
}

Network::Prepared SimgridNetwork::prepare(std::shared_ptr<const CollectiveSpec> shared,
                                          Lowered /*groups*/) {
  const CollectiveSpec& spec = *shared;
  Prepare prepare;
  for (const std::vector<GpuId>& gpus : spec.members) {
    const Schedule schedule = spec.algorithm->expand(spec.collective);
    if (schedule.switches > 0)
      throw std::invalid_argument(std::string(spec.algorithm->name) +
                                  ": the simgrid model has no switches that add up");
    spell_out(spec, schedule, gpus, prepare);
    const Seconds latency = critical_path(schedule, [&](Rank from, Rank to) {
      return routing_.latency(gpus[from.index()], gpus[to.index()]);
    });
    prepare.latency = std::max(prepare.latency, latency);
  }
  prepared_.push_back(std::move(prepare));
  return static_cast<Prepared>(prepared_.size()) - 1;
}

void SimgridNetwork::drop(Prepared collective) {
  prepared_[static_cast<std::size_t>(collective)] = Prepare{};
}

void SimgridNetwork::start(Prepared collective, Domain domain, Listener* listener,
                           std::int64_t tag) {
  const std::int64_t id = next_run_++;
  const Prepare& prepare = prepared_[static_cast<std::size_t>(collective)];
  Run& run = runs_[id];
  run.collective = collective;
  run.domain = domain;
  run.listener = listener;
  run.tag = tag;
  run.left = static_cast<int>(prepare.messages.size());
  for (const Message& message : prepare.messages) run.waits_for.push_back(message.waits_for);
  run.latency = fluid_.start_delay(domain, prepare.latency, this, id);
}

void SimgridNetwork::completed(std::int64_t id) {
  if (runs_[id].left == 0) return finish(id);
  const std::size_t count = runs_[id].waits_for.size();
  std::vector<int> ready;
  for (std::size_t message = 0; message < count; ++message)
    if (runs_[id].waits_for[message] == 0) ready.push_back(static_cast<int>(message));
  for (const int message : ready) send(id, message);
}

void SimgridNetwork::send(std::int64_t id, int message) {
  const Run& run = runs_.at(id);
  const Message& data = prepared_[static_cast<std::size_t>(run.collective)]
                            .messages[static_cast<std::size_t>(message)];
  if (data.size.count() == 0 || data.from == data.to) return arrived(id, message);
  std::vector<LinkShare> path;
  routing_.append_path(data.from, data.to, 0, path);
  for (const LinkShare& hop : path)
    bytes_[hop.link.index()] += static_cast<double>(data.size.count()) * hop.share;
  const s4u::CommPtr comm =
      s4u::Comm::sendto_async(hosts_[data.from.index()], hosts_[data.to.index()],
                              static_cast<std::uint64_t>(data.size.count()));
  flights_[comm.get()] = {id, message};
  runs_.at(id).under_way[message] = comm;
}

void SimgridNetwork::arrived(std::int64_t id, int message) {
  Run& run = runs_.at(id);
  const auto comm = run.under_way.find(message);  // none if it had no bytes
  if (comm != run.under_way.end()) {
    last_ended_ = std::move(comm->second);
    run.under_way.erase(comm);
  }
  const Message& data = prepared_[static_cast<std::size_t>(run.collective)]
                            .messages[static_cast<std::size_t>(message)];
  const bool last = --run.left == 0;
  for (const int next : data.enables)
    if (--run.waits_for[static_cast<std::size_t>(next)] == 0) send(id, next);
  if (last) finish(id);
}

void SimgridNetwork::finish(std::int64_t id) {
  const Run run = runs_.at(id);
  runs_.erase(id);
  run.listener->completed(run.tag);
}

void SimgridNetwork::withdraw_all(Domain domain) {
  for (auto run = runs_.begin(); run != runs_.end();) {
    if (run->second.domain != domain) {
      ++run;
      continue;
    }
    fluid_.withdraw(run->second.latency);
    for (auto& [message, comm] : run->second.under_way) {
      flights_.erase(comm.get());
      comm->cancel();
    }
    run = runs_.erase(run);
  }
}

void SimgridNetwork::credit(Prepared /*collective*/, double /*times*/) {}

}  // namespace trainyard
