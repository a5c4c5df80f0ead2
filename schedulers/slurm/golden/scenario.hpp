// A golden scenario: a site, what is submitted and done to it, and what a real Slurm decided.
#pragma once

#include "schedulers/slurm/job/job.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::slurm {

// `scontrol ...` or a fault, at a time.
struct GoldenEvent {
  double time = 0;
  std::string action;
};

// One run of a job, from start to end.
struct GoldenSegment {
  std::string id;
  int restarts = 0;
  double start = -1, end = -1;  // -1: never
  std::string end_state;        // COMPLETED, REQUEUED, NEVER_STARTED, ...
  std::vector<std::string> nodes;
  double priority = 0;
};

// One allocation, with the state just before.
struct GoldenDecision {
  double time = 0;
  std::string id, mechanism;  // "main" or "backfill"
  std::vector<int> free_gpus, free_cpus;
  std::vector<std::string> unavailable, completing, nodes;
  std::string gpus;  // "n01:4-7;n[02-03]:0"
};

struct GoldenScenario {
  std::string name, question;
  SlurmSite site;
  std::vector<SlurmJob> jobs;  // in the order of submission
  std::vector<GoldenEvent> events;
  std::vector<GoldenSegment> segments;
  std::vector<GoldenDecision> decisions;
  long epoch = 0;  // seconds of the controller's clock after a full hour, at time 0
};

GoldenScenario read_scenario(const std::string& folder);

std::vector<SlurmJob> read_golden_jobs(const std::string& file, const SlurmSite& site);

}  // namespace trainyard::slurm
