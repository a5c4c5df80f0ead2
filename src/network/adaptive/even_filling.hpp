// How one bundle is divided best beside everything else: so that the fullest of its cables is as
// empty as can be.
#pragma once

#include "network/adaptive/bundle.hpp"

#include <vector>

namespace trainyard {

// One of the bundle's cables as the others leave it.
struct Occupancy {
  double capacity = 0;  // bytes/s
  double others = 0;    // bytes/s of it that are not the bundle's
};

struct Filling {
  double fullest = 0;          // the utilisation that no cable need exceed
  std::vector<double> shares;  // by cable of the bundle
};

// No division leaves the fullest cable emptier than this; cheap, and usually as much as can be.
double least_filling(const Bundle& bundle, const std::vector<Occupancy>& cables, double rate);

// `rate`: the bundle's bytes/s. Exact to rounding: a cut of the fabric that must carry what crosses
// it bounds the utilisation from below; the tightest is found by max-flow (Newton's method on the
// cuts), and that flow is the division.
Filling fill_evenly(const Bundle& bundle, const std::vector<Occupancy>& cables, double rate);

}  // namespace trainyard
