// The routes that are left when links are down: a transfer keeps the path it has while all of its
// links are up, and otherwise takes the shortest that survive, by the same policy.
//
// A pure function of (source, destination, queue pair) and of what is down. Where no path survives,
// the broken one is given: whoever plays it sees that it is down, and waits.
#pragma once

#include "network/routing.hpp"

#include <memory>
#include <vector>

namespace trainyard {

class SurvivingRouting final : public Routing {
public:
  // `own`: the platform's routes with everything up, for the same spec.
  SurvivingRouting(const Platform& platform, const Routing& own, const RoutingSpec& spec)
      : platform_(platform), own_(own), spec_(spec) {}

  // Exactly these are down from now on.
  void set_down(const std::vector<LinkId>& links);

  bool is_down(LinkId link) const { return !down_.empty() && down_[link.index()] != 0; }
  bool all_up() const { return down_.empty(); }
  const Routing& own() const { return own_; }

  void append_path(GpuId from, GpuId to, int queue_pair,
                   std::vector<LinkShare>& out) const override;
  Seconds latency(GpuId from, GpuId to) const override;
  int queue_pairs() const override { return own_.queue_pairs(); }
  bool divides() const override { return own_.divides(); }
  Alike alike() const override { return all_up() ? own_.alike() : Alike::Nothing; }

private:
  bool is_broken(GpuId from, GpuId to, int queue_pair) const;

  const Platform& platform_;
  const Routing& own_;
  RoutingSpec spec_;
  std::vector<char> down_;               // by LinkId; empty while nothing is
  std::unique_ptr<Platform> survivors_;  // the platform without what is down
  std::unique_ptr<Routing> detours_;     // on it
};

// Both directions of what a user calls a cable: "node3/nic0", "leaf0/spine1/cable2". Empty if there
// is no such cable in the fabric.
std::vector<LinkId> find_cable(const Platform& platform, const std::string& name);
// The cables of a switch, both directions of each together, ascending.
std::vector<std::vector<LinkId>> cables_seen_from(const Platform& platform, const Switch& from);
// All of them at once. Empty if there is no such switch.
std::vector<LinkId> cables_of_switch(const Platform& platform, const std::string& name);

}  // namespace trainyard
