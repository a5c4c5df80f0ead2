// Simulation: SimGrid's engine and clock, once per process, with the platform and the network model
// in it.
//
// SimGrid's engine is a singleton whose second instance goes on from the first one's clock: a
// second Simulation in one process is refused.
#pragma once

#include "network/network.hpp"
#include "network/routing.hpp"

#include <simgrid/s4u.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

class FabricZone;
class FlowNetwork;

class Simulation {
public:
  Simulation();
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // A plain SimGrid platform: SimGrid loads it and keeps its routes. The platform must outlive the
  // routing.
  Platform load_plain(const std::string& file);
  std::unique_ptr<Routing> plain_routing(const Platform& platform);

  // Puts the platform into the engine. `capacities`: of each link, after slow-link factors.
  void build(const Platform& platform, const Routing& routing, const Capacities& capacities,
             NetworkModel model);

  Fluid& fluid() { return *fluid_; }
  Network& network() { return *network_; }
  FlowNetwork& flow_network();  // under the `flow` model
  simgrid::s4u::Host* host(GpuId gpu) const { return hosts_[gpu.index()]; }
  simgrid::s4u::Host* service_host() const { return service_; }
  Seconds now() const;

  // Runs to the end. If the simulated world is stuck, throws SimulationError with what `who_waits`
  // says.
  void run(const std::function<std::string()>& who_waits);
  // Ends the run from inside an actor: run() then throws this error.
  void fail(const std::string& problem);
  void fail(std::exception_ptr error);

  static std::string engine_version();
  std::string configuration() const;  // the SimGrid settings in force, for the results

private:
  using SignalHandler = void (*)(int);
  explicit Simulation(SignalHandler on_interrupt);  // restored: SimGrid sets its own

  void add_network(const Platform& platform, const Routing& routing, const Capacities& capacities,
                   NetworkModel model);

  simgrid::s4u::Engine engine_;
  FabricZone* zone_ = nullptr;  // owned by the engine
  std::unique_ptr<Fluid> fluid_;
  std::unique_ptr<Network> network_;
  std::vector<simgrid::s4u::Host*>
      hosts_;  // by GpuId: ours is by id; SimGrid's order is a hash table's
  simgrid::s4u::Host* service_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace trainyard
