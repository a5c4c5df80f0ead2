// Every scheduling policy and every placement there is. `trainyard list` prints them.
#pragma once

#include "schedulers/policy.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace trainyard {

struct PolicyEntry {
  const char* name;
  std::unique_ptr<SchedulingPolicy> (*make)();
  bool preempts;
  const char* sentence;
};

struct PlacementEntry {
  const char* name;
  std::unique_ptr<Placement> (*make)(std::uint64_t seed);
  const char* sentence;
};

const std::vector<PolicyEntry>& policies();       // fifo, backfill, priority_preemption, ...
const std::vector<PlacementEntry>& placements();  // first_fit, pack_by_leaf, spread, random

// The makers the tables point to, each defined in the file of its name.
std::unique_ptr<SchedulingPolicy> make_fifo();
std::unique_ptr<SchedulingPolicy> make_backfill();
std::unique_ptr<SchedulingPolicy> make_conservative();
std::unique_ptr<SchedulingPolicy> make_shortest_first();
std::unique_ptr<SchedulingPolicy> make_priority_preemption();
std::unique_ptr<Placement> make_first_fit(std::uint64_t seed);
std::unique_ptr<Placement> make_pack_by_leaf(std::uint64_t seed);
std::unique_ptr<Placement> make_spread(std::uint64_t seed);
std::unique_ptr<Placement> make_random(std::uint64_t seed);

}  // namespace trainyard
