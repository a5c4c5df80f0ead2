// simulate(): one run of one experiment, from plain data to plain data. Builds the machine, the
// actors and the controller, lets simulated time pass, and gives the log back.
#pragma once

#include "report/event_log.hpp"
#include "report/results.hpp"
#include "study/experiment.hpp"

namespace trainyard {

// What a run is made of, for studies that play parts of it.
Machine make_machine(const Experiment& experiment, const Routing& routing);
std::unique_ptr<Routing> make_routing(const Experiment& experiment, Simulation& simulation);
std::unique_ptr<Placement> make_placement(const Experiment& experiment);

// `watch` is told the time and the jobs done at every event; it must be cheap.
EventLog simulate(const Experiment& experiment, Simulation& simulation,
                  const Controller::Watch& watch);
// The same under a policy that is in no table.
EventLog simulate_under(const SchedulingPolicy& policy, const Experiment& experiment,
                        Simulation& simulation, const Controller::Watch& watch);

// What the results say about the run: models, settings, versions, counts.
RunInfo describe_run(const Experiment& experiment, const EventLog& log,
                     const Simulation& simulation, const std::string& resolved_yaml);

}  // namespace trainyard
