#include "sim/simulation.hpp"

#include "base/error.hpp"
#include "network/analytic_network.hpp"
#include "network/fabric_zone.hpp"
#include "network/flow_network.hpp"
#include "network/fluid_model.hpp"
#include "network/plain_platform.hpp"
#include "network/simgrid_network.hpp"

#include <simgrid/version.h>
#include <xbt/log.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace trainyard {

namespace s4u = simgrid::s4u;

namespace {

// The one static variable in the program guards against SimGrid's many.
void refuse_a_second() {
  static bool taken = false;
  if (std::exchange(taken, true))
    throw std::logic_error("one Simulation per process: start another process");
}

std::string contexts() {
  const char* chosen = std::getenv("TRAINYARD_CONTEXTS");  // "thread" under sanitizers
  return chosen ? chosen : "";
}

}  // namespace

Simulation::Simulation() : Simulation(std::signal(SIGINT, SIG_DFL)) {}

Simulation::Simulation(SignalHandler on_interrupt)
    : engine_([] {
        refuse_a_second();
        return "trainyard";
      }()) {
  xbt_log_control_set("root.thres:error ker_engine.add:0 ker_engine.app:file:/dev/null");
  s4u::Engine::set_config("contexts/stack-size:256");  // KiB, instead of 8 MiB an actor
  s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/crosstraffic:no");
  s4u::Engine::set_config("network/TCP-gamma:1e18");
  if (!contexts().empty()) s4u::Engine::set_config("contexts/factory:" + contexts());
  std::signal(SIGINT, on_interrupt);
}

Simulation::~Simulation() = default;

std::string Simulation::engine_version() {
  return std::to_string(SIMGRID_VERSION_MAJOR) + "." + std::to_string(SIMGRID_VERSION_MINOR);
}

std::string Simulation::configuration() const {
  return "network/model:CM02 network/crosstraffic:no network/TCP-gamma:1e18";
}

Platform Simulation::load_plain(const std::string& file) {
  try {
    engine_.load_platform(file);
    engine_.seal_platform();  // or asking for a route can crash it
    return read_plain_platform(engine_, file);
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& problem) {
    throw InputError({file}, "",
                     std::string("SimGrid cannot load this platform: ") + problem.what());
  }
}

std::unique_ptr<Routing> Simulation::plain_routing(const Platform& platform) {
  return make_plain_routing(platform, plain_hosts(engine_));
}

void Simulation::build(const Platform& platform, const Routing& routing,
                       const Capacities& capacities, NetworkModel model) {
  if (platform.topology == "plain") {
    hosts_ = plain_hosts(engine_);
    service_ = hosts_.front();
  } else {
    auto* root = s4u::create_full_zone("root");  // first: the models come with the root
    zone_ = new FabricZone("fabric");  // NOLINT(cppcoreguidelines-owning-memory): SimGrid's
    zone_->set_parent(root->get_impl());
    zone_->build(platform, routing, capacities, model == NetworkModel::Simgrid);
    zone_->get_iface()->seal();
    root->seal();
    for (std::size_t gpu = 0; gpu < platform.gpus.size(); ++gpu)
      hosts_.push_back(zone_->gpu(GpuId(static_cast<std::int64_t>(gpu))));
    service_ = zone_->service();
  }
  fluid_ = std::make_unique<Fluid>(capacities, platform);
  engine_.add_model(std::make_shared<FluidModel>(*fluid_), {});
  add_network(platform, routing, capacities, model);
}

void Simulation::add_network(const Platform& platform, const Routing& routing,
                             const Capacities& capacities, NetworkModel model) {
  if (model != NetworkModel::Simgrid) {
    network_ = make_fluid_network(model, *fluid_, platform);
    return;
  }
  if (platform.topology == "plain") {
    for (std::size_t link = 0; link < platform.links.size(); ++link) {
      s4u::Link* data = s4u::Link::by_name(platform.links[link].name);
      data->set_latency(0);
      data->set_bandwidth(capacities[link]);
    }
  }
  network_ = std::make_unique<SimgridNetwork>(*fluid_, hosts_, platform, routing);
}

FlowNetwork& Simulation::flow_network() { return dynamic_cast<FlowNetwork&>(*network_); }

Seconds Simulation::now() const { return seconds(s4u::Engine::get_clock()); }

void Simulation::run(const std::function<std::string()>& who_waits) {
  std::string stuck;
  s4u::Engine::on_deadlock_cb([&] {
    stuck = "t=" + std::to_string(s4u::Engine::get_clock()) +
            " s: nothing can happen any more: " + who_waits();
  });
  engine_.run();
  if (failure_) std::rethrow_exception(failure_);
  if (!stuck.empty()) throw SimulationError(stuck);
}

void Simulation::fail(const std::string& problem) {
  fail(std::make_exception_ptr(
      SimulationError("t=" + std::to_string(s4u::Engine::get_clock()) + " s: " + problem)));
}

void Simulation::fail(std::exception_ptr error) {
  failure_ = std::move(error);
  s4u::Actor::kill_all();
}

}  // namespace trainyard
