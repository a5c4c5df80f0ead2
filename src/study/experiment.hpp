// Experiment: all that the user asked for in one file, read strictly, defaults filled in. Plain
// data.
#pragma once

#include "actors/attempt_factory.hpp"
#include "actors/failure_plan.hpp"
#include "actors/iteration_recorder.hpp"
#include "config/section.hpp"
#include "network/routing.hpp"
#include "schedulers/controller.hpp"
#include "schedulers/registry.hpp"
#include "schedulers/slurm/loop/setup.hpp"
#include "sim/simulation.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

struct Experiment {
  std::string name, question;
  Platform platform;
  Calibration calibration;  // the platform's
  NetworkModel model = NetworkModel::Flow;
  RoutingSpec routing;
  AlgorithmRules algorithms;
  std::vector<double> gpu_slowdown;  // by GpuId
  std::vector<double> link_factor;   // by LinkId
  std::vector<TrainingPlan> plans;
  std::vector<Job> jobs;                       // by JobId
  std::map<std::string, std::int64_t> counts;  // of what importing dropped and noticed
  std::string policy, placement;
  PolicyOptions policy_options;
  std::shared_ptr<slurm::SlurmSetup> slurm;  // under the policy `slurm`
  ControllerOptions scheduler;
  AttemptOptions attempts;
  FailureSpec failures;
  bool time_compression = true;
  std::uint64_t seed = 0;
  IterationDetail iterations = IterationDetail::Steps;
  bool timeline = true;
  Seconds links_every;  // bins of what links carry over time; zero: not kept
};

// How a plain SimGrid platform is loaded: by the engine.
using PlainLoader = std::function<Platform(const std::string& file)>;

// The experiment's `name`; by default that of its folder. It is a folder's name.
std::string experiment_name(Document& document, const std::string& file);

// Makes the document mean the same wherever a copy of it stands: its `name` is said, and
// `relative_to`, which relative paths start from (by default the experiment's folder), is absolute.
void anchor(Document& document, const std::string& file);

// Throws InputError or InfeasibleError. `sweep` must have been taken out (take_sweep).
Experiment read_experiment(Document& document, const std::string& file,
                           const PlainLoader& load_plain);

}  // namespace trainyard
