#include "rows/experiments.hpp"

#include "platforms/xml.hpp"
#include "rows/row.hpp"

#include <utility>

namespace trainyard::bench {

namespace {

using Property = std::pair<const char*, std::string>;

std::string platform_xml(const std::string& name, const std::vector<Property>& properties) {
  std::string xml =
      "<?xml version='1.0'?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version='4.1'>\n<zone id='" +
      name + "' routing='None'>\n";
  for (const auto& [id, value] : properties)
    xml += std::string("<prop id='") + id + "' value='" + value + "'/>\n";
  return xml + "</zone>\n</platform>\n";
}

}  // namespace

// A link down takes as long as the switch and the NIC: 0.4 + (0.2 + 0.4) us.
std::string single_switch_xml(int nodes) {
  return platform_xml("one_switch", {{"topology", "single_switch"},
                                     {"nodes", std::to_string(nodes)},
                                     {"gpus_per_node", "1"},
                                     {"nic_bandwidth", "50 GB/s"},
                                     {"nic_latency", "0.4 us"},
                                     {"switch_latency", "0.2 us"},
                                     {"calibration", "assumed"}});
}

std::string fat_tree_2to1_xml(int leaves) {
  return platform_xml("fat_tree_2to1", {{"topology", "fat_tree"},
                                        {"nodes", std::to_string(8 * leaves)},
                                        {"gpus_per_node", "8"},
                                        {"nvlink_bandwidth", "450 GB/s"},
                                        {"nvlink_latency", "0.5 us"},
                                        {"nic_bandwidth", "50 GB/s"},
                                        {"nic_latency", "0.5 us"},
                                        {"levels", "2"},
                                        {"down", "64," + std::to_string(leaves)},
                                        {"cables", "1,1"},
                                        {"oversubscription", "2"},
                                        {"switch_bandwidth", "50 GB/s"},
                                        {"switch_latency", "130 ns"},
                                        {"calibration", "assumed"}});
}

std::string rail_102400_xml() {
  return platform_xml("rail_102400", {{"topology", "rail_optimized"},
                                      {"nodes", "12800"},
                                      {"gpus_per_node", "8"},
                                      {"nvlink_bandwidth", "450 GB/s"},
                                      {"nvlink_latency", "0.5 us"},
                                      {"nics_per_node", "8"},
                                      {"nic_bandwidth", "50 GB/s"},
                                      {"nic_latency", "0.5 us"},
                                      {"nodes_per_unit", "32"},
                                      {"levels", "3"},
                                      {"down", "32,32,100"},
                                      {"cables", "1,1,1"},
                                      {"oversubscription", "1,1"},
                                      {"switch_bandwidth", "50 GB/s"},
                                      {"switch_latency", "130 ns"},
                                      {"calibration", "assumed"}});
}

Experiment on_platform(Platform platform) {
  Experiment experiment;
  experiment.platform = std::move(platform);
  experiment.routing.policy = experiment.platform.default_routing;
  experiment.gpu_slowdown.assign(experiment.platform.gpus.size(), 1.0);
  experiment.link_factor.assign(experiment.platform.links.size(), 1.0);
  experiment.policy = "fifo";
  experiment.placement = "first_fit";
  experiment.time_compression = false;
  return experiment;
}

TrainingPlan one_collective(CollectiveKind kind, const std::string& algorithm, Bytes size) {
  Operation operation;
  operation.name = to_string(kind);
  operation.kind = Operation::Kind::Communicate;
  operation.collective = kind;
  operation.algorithm = algorithm;
  operation.size = size;
  TrainingPlan plan;
  plan.name = algorithm;
  plan.custom = {operation};
  return plan;
}

void add_job(Experiment& experiment, int gpus, std::int64_t steps) {
  Job job;
  job.id = JobId(static_cast<std::int64_t>(experiment.jobs.size()));
  job.name = "job" + std::to_string(experiment.jobs.size());
  job.gpus = gpus;
  job.plan = static_cast<int>(experiment.plans.size()) - 1;
  job.steps = steps;
  experiment.jobs.push_back(std::move(job));
}

Played play(const Experiment& experiment) {
  Simulation simulation;
  double when_loaded = 0;
  simgrid::s4u::Engine::on_simulation_start_cb([&when_loaded] { when_loaded = own_cpu_s(); });
  EventLog log = simulate(experiment, simulation, [](Seconds, std::int64_t) {});
  return {std::move(log), when_loaded};
}

Seconds duration_of(const EventLog& log, std::size_t attempt) {
  return log.attempts.at(attempt).end - log.attempts.at(attempt).start;
}

}  // namespace trainyard::bench
