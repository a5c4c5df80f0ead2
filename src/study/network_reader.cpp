#include "study/network_reader.hpp"

#include "workload/plan_values.hpp"

#include <set>

namespace trainyard {

namespace {

constexpr int kMostQueuePairs = 128;  // NCCL_IB_QPS_PER_CONNECTION goes up to 128

constexpr const char* kNoSwitches = "network model 'simgrid' has no switches that add up";

NetworkModel network_model_named(const std::string& name) {
  if (name == "flow") return NetworkModel::Flow;
  return name == "analytic" ? NetworkModel::Analytic : NetworkModel::Simgrid;
}

void read_routing(Section& section, Experiment& experiment) {
  std::vector<std::string> known = {"platform"};
  known.insert(known.end(), routing_names().begin(), routing_names().end());
  const std::string routing = section.one_of_or("routing", known, "platform");
  if (routing != "platform" && experiment.platform.topology == "plain")
    throw section.infeasible("routing", "'" + routing + "' cannot replace the routes of '" +
                                            experiment.platform.name +
                                            "', a plain SimGrid platform");
  experiment.routing.policy = experiment.platform.default_routing;
  if (routing != "platform") experiment.routing.policy = routing_named(routing);
  const std::int64_t pairs = section.integer_or("queue_pairs", 1, 1);
  if (pairs > kMostQueuePairs)
    throw section.error("queue_pairs", "must be at most " + std::to_string(kMostQueuePairs));
  if (pairs > 1 && experiment.routing.policy != RoutingPolicy::Ecmp)
    throw section.infeasible("queue_pairs",
                             "more than 1 only has a meaning under 'ecmp', and "
                             "routing is '" +
                                 std::string(to_string(experiment.routing.policy)) + "'");
  experiment.routing.queue_pairs = static_cast<int>(pairs);
}

void check_one_path(const Section& section, const Experiment& experiment) {
  if (experiment.model != NetworkModel::Simgrid) return;
  const RoutingPolicy policy = experiment.routing.policy;
  if (policy == RoutingPolicy::Spray || policy == RoutingPolicy::Adaptive)
    throw section.infeasible("model", "'simgrid' gives a pair one path; routing '" +
                                          std::string(to_string(policy)) + "' needs all of them");
  if (experiment.routing.queue_pairs > 1)
    throw section.infeasible("model", "'simgrid' gives a pair one path; 'queue_pairs' must be 1");
}

bool needs_switches(CollectiveKind kind, const std::string& algorithm) {
  const AlgorithmEntry* entry = find_algorithm(kind, algorithm);
  return entry && entry->offload != Offload::None;
}

// `collectives: {all_reduce: ring}`: every kind there is, in the registry's order.
void read_named(Section section, AlgorithmRules& rules) {
  std::set<CollectiveKind> asked;
  for (const AlgorithmEntry& entry : algorithms()) {
    const std::string kind = to_string(entry.kind);
    if (!asked.insert(entry.kind).second || !section.has(kind)) continue;
    const std::string name = section.one_of(kind, algorithm_names(entry.kind));
    if (!rules.no_offload.empty() && needs_switches(entry.kind, name))
      throw section.infeasible(kind, "'" + name + "' cannot be played: " + rules.no_offload);
    rules.named[entry.kind] = name;
  }
  section.finish();
}

}  // namespace

void read_network(Section section, Experiment& experiment) {
  const std::string model = section.one_of_or("model", {"flow", "analytic", "simgrid"}, "flow");
  experiment.model = network_model_named(model);
  read_routing(section, experiment);
  check_one_path(section, experiment);
  AlgorithmRules& rules = experiment.algorithms;
  if (experiment.model == NetworkModel::Simgrid) rules.no_offload = kNoSwitches;
  rules.tuned = section.one_of_or("algorithms", {"tuned", "default"}, "tuned") == "tuned";
  if (std::optional<Section> named = section.maybe_section("collectives"))
    read_named(std::move(*named), rules);
  section.finish();
}

void check_offload(const Section& root, const Experiment& experiment) {
  if (experiment.algorithms.no_offload.empty()) return;
  const auto check = [&](const TrainingPlan& plan, CollectiveKind kind, const std::string& name) {
    if (needs_switches(kind, name))
      throw root.infeasible("plans", "plan '" + plan.name + "' names '" + name +
                                         "': " + experiment.algorithms.no_offload);
  };
  for (const TrainingPlan& plan : experiment.plans) {
    check(plan, CollectiveKind::AllReduce, plan.all_reduce);
    for (const Operation& operation : plan.custom)
      check(plan, operation.collective, operation.algorithm);
  }
}

}  // namespace trainyard
