// The cables while the simulation runs: which are down or slower than they were built, and who must
// know.
//
// Several causes may hold one link down (its own failure, its switch's): it has what the worst of
// them leaves.
#pragma once

#include "actors/machine.hpp"
#include "network/surviving_routing.hpp"
#include "report/event_log.hpp"
#include "sim/simulation.hpp"

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace trainyard {

// Whose flows follow the routes. Told of every change twice: before, to bring its books up to date,
// and after.
class RoutesUser {
public:
  virtual void routes_changing() = 0;
  virtual void routes_changed() = 0;

protected:
  ~RoutesUser() = default;
};

class Wiring {
public:
  // The machine's capacities follow what happens to its links.
  Wiring(Simulation& simulation, SurvivingRouting& routing, Machine& machine)
      : simulation_(simulation), routing_(routing), machine_(machine), built_(machine.capacities) {}

  void attach(RoutesUser& user) { users_.push_back(&user); }
  void detach(RoutesUser& user);

  // Another cause leaves `factor` of these links' bandwidth (0: they are down); that cause is over.
  void worsen(const std::vector<LinkId>& links, double factor);
  void mend(const std::vector<LinkId>& links, double factor);

  bool is_down(LinkId link) const { return left(link) == 0; }
  const std::vector<LinkChangeRecord>& changes() const { return changes_; }

private:
  void change(const std::vector<LinkId>& links, const std::function<void(LinkId)>& by);
  double left(LinkId link) const;

  Simulation& simulation_;
  SurvivingRouting& routing_;
  Machine& machine_;
  const Capacities built_;
  std::map<LinkId, std::multiset<double>> causes_;  // only of links that are not as built
  std::vector<LinkChangeRecord> changes_;
  std::vector<RoutesUser*> users_;  // in the order of their coming
};

}  // namespace trainyard
