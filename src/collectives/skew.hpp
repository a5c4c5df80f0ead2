// Uneven all-to-alls by rule: experts are not equally popular.
#pragma once

#include "base/rng.hpp"
#include "collectives/collective.hpp"

#include <vector>

namespace trainyard {

// What every rank has for each of them, `size` in all, so that the most wanted gets `skew` times
// the mean: u^k of uniform draws u, with the k that makes it so. 1 is even; what `ranks` cannot
// reach is as uneven as can be: all for one.
std::vector<Bytes> skewed_sizes(int ranks, Bytes size, double skew, RandomStream stream);

}  // namespace trainyard
