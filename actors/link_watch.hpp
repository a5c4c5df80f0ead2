// Keeps the history of what links carry, on request: looks whenever time has passed by a bin, and
// before and after every jump of time compression.
//
// Between two events rates are constant, and what is moved between two looks is spread evenly: of
// the events around a bin's border a part may be counted in the neighbour. The sum is exact.
#pragma once

#include "network/network.hpp"
#include "report/link_history.hpp"
#include "sim/simulation.hpp"

#include <functional>
#include <vector>

namespace trainyard {

class LinkWatch {
public:
  LinkWatch(Simulation& simulation, LinkHistory& history)
      : simulation_(simulation), history_(history) {}

  void time_passed();
  // `credit` books what was moved while a component stood still for so long.
  void jumped(Seconds elapsed, const std::function<void()>& credit);
  void look();  // up to now; also at the end

private:
  void look_since(Seconds from);

  Simulation& simulation_;
  LinkHistory& history_;
  Seconds looked_;
  std::vector<double> seen_;  // by LinkId: bytes at the last look
};

}  // namespace trainyard
