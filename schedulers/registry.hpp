// Every scheduling policy and every placement there is. `trainyard list` prints them.
#pragma once

#include "actors/job_traffic.hpp"
#include "schedulers/policy.hpp"
#include "schedulers/process/program_command.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace trainyard {

// What a policy or a placement may be told; each takes what it needs.
struct PolicyOptions {
  ProgramCommand program;            // of policy `process`
  Seconds time_slice = seconds(60);  // of policy `gang`
  Seconds grow_after = minutes(10);  // of policy `elastic`
};
struct PlacementOptions {
  std::uint64_t seed = 1;
  // What a job would put on the links from there, and their bandwidths. None: nobody is asked.
  std::function<JobTraffic(const Job& job, const Allocation& allocation)> traffic = {};
  Capacities capacities = {};
};

struct PolicyEntry {
  const char* name;
  std::unique_ptr<SchedulingPolicy> (*make)(const PolicyOptions& options);
  bool preempts;
  const char* sentence;
};

struct PlacementEntry {
  const char* name;
  std::unique_ptr<Placement> (*make)(const PlacementOptions& options);
  const char* sentence;
};

const std::vector<PolicyEntry>& policies();       // fifo, backfill, priority_preemption, ...
const std::vector<PlacementEntry>& placements();  // first_fit, pack_by_leaf, spread, random

// The makers the tables point to, each defined in the file of its name.
std::unique_ptr<SchedulingPolicy> make_fifo(const PolicyOptions& options = {});
std::unique_ptr<SchedulingPolicy> make_backfill(const PolicyOptions& options = {});
std::unique_ptr<SchedulingPolicy> make_conservative(const PolicyOptions& options = {});
std::unique_ptr<SchedulingPolicy> make_shortest_first(const PolicyOptions& options = {});
std::unique_ptr<SchedulingPolicy> make_priority_preemption(const PolicyOptions& options = {});
std::unique_ptr<SchedulingPolicy> make_gang(const PolicyOptions& options = {});
std::unique_ptr<SchedulingPolicy> make_elastic(const PolicyOptions& options = {});
std::unique_ptr<SchedulingPolicy> make_process_policy(const PolicyOptions& options);
std::unique_ptr<Placement> make_first_fit(const PlacementOptions& options);
std::unique_ptr<Placement> make_pack_by_leaf(const PlacementOptions& options);
std::unique_ptr<Placement> make_spread(const PlacementOptions& options);
std::unique_ptr<Placement> make_network_aware(const PlacementOptions& options);
std::unique_ptr<Placement> make_random(const PlacementOptions& options);

}  // namespace trainyard
