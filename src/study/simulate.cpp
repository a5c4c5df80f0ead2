#include "study/simulate.hpp"

#include "actors/failure_injector.hpp"
#include "actors/link_watch.hpp"
#include "actors/submitter.hpp"
#include "base/text.hpp"
#include "config/units.hpp"
#include "network/flow_network.hpp"
#include "schedulers/policy_scheduler.hpp"
#include "schedulers/registry.hpp"
#include "schedulers/slurm/loop/slurm_scheduler.hpp"
#include "schedulers/slurm/site/unverified.hpp"

#include <algorithm>

namespace trainyard {

namespace {

template <typename Entry>
const Entry& entry_named(const std::vector<Entry>& entries, const std::string& name) {
  for (const Entry& entry : entries)
    if (entry.name == name) return entry;
  throw std::logic_error("no registry entry '" + name + "'");  // the reader has checked it
}

IterationRecorder make_recorder(const Experiment& experiment, EventLog& log) {
  const Platform& platform = experiment.platform;
  return {log, experiment.iterations,
          [&log](std::int32_t job) { return log.jobs[static_cast<std::size_t>(job)].name; },
          [&platform](std::int32_t link) {
            return platform.links[static_cast<std::size_t>(link)].name;
          }};
}

struct Actors {
  Controller& controller;
  SchedulerInbox& inbox;
  Wiring* wiring;
};

void start_actors(const Experiment& experiment, Simulation& simulation, const Actors& actors,
                  const EventLog& log) {
  namespace s4u = simgrid::s4u;
  s4u::Host* host = simulation.service_host();
  s4u::Actor::create("scheduler", host, [&controller = actors.controller] { controller(); });
  s4u::Actor::create("submitter", host, Submitter(log.jobs, actors.inbox))->daemonize();
  const FailurePlan failures(experiment.failures, experiment.platform,
                             RandomSource(experiment.seed));
  s4u::Actor::create("failures", host, FailureInjector(failures, actors.inbox, actors.wiring))
      ->daemonize();
}

// What is known only when everything has ended.
void complete(EventLog& log, Simulation& simulation, const TimeCompression& compression,
              const AttemptFactory& factory) {
  log.compression = compression.record();
  log.events = simulation.fluid().completions();
  log.steps = factory.steps();
  log.algorithms = factory.algorithms().sentences();
  for (const std::string& note : factory.notes()) log.warnings.push_back(note);
  const std::vector<double> bytes = simulation.network().link_bytes();
  const std::vector<double> saturated = simulation.fluid().link_saturated_s();
  for (std::size_t link = 0; link < bytes.size(); ++link)
    log.links.push_back(
        {LinkId(static_cast<std::int64_t>(link)), bytes[link], Seconds(saturated[link])});
}

// Also between decisions: one job may run for an hour of wall time.
Controller::Watch watch_every_event(const Simulation& simulation, const Controller::Watch& watch) {
  const auto done = std::make_shared<std::int64_t>(0);
  simgrid::s4u::Engine::on_time_advance_cb(
      [&simulation, watch, done](double) { watch(simulation.now(), *done); });
  return [watch, done](Seconds now, std::int64_t jobs_done) {
    *done = jobs_done;
    watch(now, jobs_done);
  };
}

// What links carry over time, where the experiment asks for it.
std::unique_ptr<LinkWatch> watch_links(const Experiment& experiment, Simulation& simulation,
                                       TimeCompression& compression, EventLog& log) {
  if (experiment.links_every <= Seconds(0)) return nullptr;
  log.link_history = LinkHistory(experiment.links_every);
  auto watch = std::make_unique<LinkWatch>(simulation, log.link_history);
  simgrid::s4u::Engine::on_time_advance_cb(
      [watching = watch.get()](double) { watching->time_passed(); });
  compression.on_jump(
      [watching = watch.get()](Seconds elapsed, const std::function<void()>& credit) {
        watching->jumped(elapsed, credit);
      });
  return watch;
}

}  // namespace

Machine make_machine(const Experiment& experiment, const Routing& routing) {
  Machine machine;
  machine.platform = &experiment.platform;
  machine.model = experiment.model;
  machine.routing = &routing;
  machine.capacities = nominal_capacities(experiment.platform);
  for (std::size_t link = 0; link < machine.capacities.size(); ++link)
    machine.capacities[link] *= experiment.link_factor[link];
  if (!experiment.calibration.laws.empty()) machine.calibration = &experiment.calibration;
  machine.algorithms = experiment.algorithms;
  machine.gpu_slowdown = experiment.gpu_slowdown;
  return machine;
}

std::unique_ptr<Routing> make_routing(const Experiment& experiment, Simulation& simulation) {
  const Platform& platform = experiment.platform;
  return platform.topology == "plain" ? simulation.plain_routing(platform)
                                      : make_routing(platform, experiment.routing);
}

// On an empty cluster there is nobody to look at.
std::unique_ptr<Placement> make_placement(const Experiment& experiment) {
  // Slurm places by itself; who only wants the jobs side by side packs them.
  const std::string name = experiment.slurm ? "pack_by_leaf" : experiment.placement;
  return entry_named(placements(), name).make({experiment.seed});
}

namespace {

// Lets links fail: transfers stall, take the routes that are left, or abort their communicator.
std::unique_ptr<Wiring> make_wiring(const Experiment& experiment, Simulation& simulation,
                                    SurvivingRouting& routing, Machine& machine,
                                    SchedulerInbox& inbox) {
  if (!experiment.failures.links_may_fail()) return nullptr;
  machine.routing = machine.surviving = &routing;
  simulation.flow_network().expect_link_failures(
      [&machine](const CollectiveSpec& spec) {
        return lower(spec, *machine.platform, *machine.routing);
      },
      experiment.failures.transport,
      [&inbox](Domain job, LinkId link) {
        inbox.post(CommunicatorAborted{JobId(job), link});
      });
  return std::make_unique<Wiring>(simulation, routing, machine);
}

}  // namespace

namespace {

// What the parts of a scheduler may look at.
struct SchedulerParts {
  const Occupancy& occupancy;
  EventLog& log;
  const PlacementOptions& placement;
};
using MakeScheduler = std::function<std::unique_ptr<Scheduler>(const SchedulerParts&)>;

// What a job would put on the links, by what it would play there.
PlacementOptions forecasting(const Experiment& experiment, const AttemptFactory& factory,
                             const Machine& machine) {
  PlacementOptions options;
  options.seed = experiment.seed;
  options.traffic = [&factory, &machine](const Job& job, const Allocation& allocation) {
    return job_traffic(factory.model_on(machine, job, allocation), machine);
  };
  options.capacities = machine.capacities;
  return options;
}

EventLog play(const Experiment& experiment, Simulation& simulation, const MakeScheduler& make,
              const Controller::Watch& watch) {
  const Platform& platform = experiment.platform;
  const std::unique_ptr<Routing> routing = make_routing(experiment, simulation);
  SurvivingRouting surviving(platform, *routing, experiment.routing);
  Machine machine = make_machine(experiment, *routing);
  simulation.build(platform, *routing, machine.capacities, experiment.model);

  EventLog log;
  log.jobs = experiment.jobs;
  SchedulerInbox inbox;
  const auto wiring = make_wiring(experiment, simulation, surviving, machine, inbox);
  Occupancy occupancy(platform);
  AttemptFactory factory(machine, experiment.plans, experiment.attempts);
  const PlacementOptions placement = forecasting(experiment, factory, machine);
  const std::unique_ptr<Scheduler> scheduler = make({occupancy, log, placement});
  TimeCompression compression(simulation.fluid(), platform.links.size(),
                              experiment.time_compression);
  const std::unique_ptr<LinkWatch> link_watch =
      watch_links(experiment, simulation, compression, log);
  IterationRecorder recorder = make_recorder(experiment, log);
  Controller controller(
      platform,
      {*scheduler, occupancy, factory, simulation, compression, recorder, inbox, log, wiring.get()},
      experiment.scheduler, experiment.attempts.checkpoint.on_preemption,
      watch_every_event(simulation, watch));
  start_actors(experiment, simulation, {controller, inbox, wiring.get()}, log);
  simulation.run([&controller] { return controller.describe(); });
  if (link_watch) link_watch->look();
  complete(log, simulation, compression, factory);
  if (wiring) log.link_changes = wiring->changes();
  return log;
}

// Only Slurm's rules follow dependencies, constraints and partitions.
void warn_of_options_not_followed(const Experiment& experiment, EventLog& log) {
  const auto has_options = [](const Job& job) { return !job.sbatch.empty(); };
  const auto& jobs = experiment.jobs;
  const auto first = std::find_if(jobs.begin(), jobs.end(), has_options);
  if (first == jobs.end()) return;
  log.warnings.push_back("policy '" + experiment.policy + "' does not follow sbatch's options of " +
                         counted(std::count_if(jobs.begin(), jobs.end(), has_options), "job") +
                         ", the first " + first->name + ": " + first->sbatch);
}

}  // namespace

EventLog simulate(const Experiment& experiment, Simulation& simulation,
                  const Controller::Watch& watch) {
  if (experiment.slurm)
    return play(
        experiment, simulation,
        [&](const SchedulerParts& parts) {
          parts.log.warnings = experiment.slurm->site.warnings;
          return std::make_unique<slurm::SlurmScheduler>(*experiment.slurm, experiment.platform,
                                                         parts.log);
        },
        watch);
  const auto policy = entry_named(policies(), experiment.policy).make(experiment.policy_options);
  return simulate_under(*policy, experiment, simulation, watch);
}

EventLog simulate_under(const SchedulingPolicy& policy, const Experiment& experiment,
                        Simulation& simulation, const Controller::Watch& watch) {
  std::unique_ptr<Placement> placement;
  const PreemptionRule preemption{experiment.attempts.checkpoint.on_preemption,
                                  experiment.scheduler.grace};
  return play(
      experiment, simulation,
      [&](const SchedulerParts& parts) {
        warn_of_options_not_followed(experiment, parts.log);
        placement = entry_named(placements(), experiment.placement).make(parts.placement);
        return std::make_unique<PolicyScheduler>(policy, *placement, parts.occupancy, parts.log,
                                                 preemption);
      },
      watch);
}

RunInfo describe_run(const Experiment& experiment, const EventLog& log,
                     const Simulation& simulation, const std::string& resolved_yaml) {
  RunInfo info;
  info.question = experiment.question;
  info.experiment = experiment.name;
  info.resolved_yaml = resolved_yaml;
  info.facts = {
      {"platform", experiment.platform.name},
      {"calibration", experiment.platform.calibration},
      {"network model", to_string(experiment.model)},
      {"routing", to_string(experiment.routing.policy)},
      {"queue pairs", std::to_string(experiment.routing.queue_pairs)},
      {"policy", experiment.policy},
      {"placement", experiment.placement},
      {"time compression", experiment.time_compression ? "on" : "off"},
      {"seed", std::to_string(experiment.seed)},
      {"simgrid", Simulation::engine_version()},
      {"simgrid configuration", simulation.configuration()},
  };
  if (experiment.platform.topology == "plain") info.facts["routing"] = "the SimGrid platform's own";
  if (experiment.slurm) {
    const auto rules = slurm::unverified_rules(experiment.slurm->site, experiment.slurm->jobs);
    info.facts["unverified rules of Slurm"] = rules.empty() ? "none" : join(rules, "; ");
  }
  info.counts = experiment.counts;
  for (const AttemptRecord& attempt : log.attempts)
    if (attempt.end_state == JobState::Timeout) ++info.counts["killed at their limit"];
  return info;
}

}  // namespace trainyard
