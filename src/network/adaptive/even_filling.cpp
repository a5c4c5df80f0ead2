#include "network/adaptive/even_filling.hpp"

#include "platforms/max_flow.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

constexpr double kWhole = 1099511627776.0;  // 2^40: a whole bundle in the units of max-flow
constexpr int kMostCuts = 64;               // Newton needs a handful
constexpr double kNegative = 1e-9;

// The utilisation at which these cables carry `rate` together.
double level_of(std::vector<Occupancy> cables, double rate) {
  std::sort(cables.begin(), cables.end(), [](const Occupancy& a, const Occupancy& b) {
    return a.others * b.capacity < b.others * a.capacity;
  });
  double capacity = 0, carried = rate, level = 0;
  for (const Occupancy& cable : cables) {
    if (capacity > 0 && cable.others >= level * cable.capacity) break;
    capacity += cable.capacity;
    carried += cable.others;
    level = carried / capacity;
  }
  return level;
}

// What leaves the switches that the bundle enters by, or enters those that it leaves by.
std::vector<Occupancy> at_the_ends(const Bundle& bundle, const std::vector<Occupancy>& cables,
                                   double sign) {
  std::vector<Occupancy> crossing;
  for (std::size_t i = 0; i < cables.size(); ++i) {
    const Bundle::Cable& cable = bundle.cables[i];
    const int end = sign > 0 ? cable.from : cable.to;
    if (sign * bundle.supply[static_cast<std::size_t>(end)] > kNegative)
      crossing.push_back(cables[i]);
  }
  return crossing;
}

class Filler {
public:
  Filler(const Bundle& bundle, const std::vector<Occupancy>& cables, double rate)
      : bundle_(bundle), cables_(cables), rate_(rate), switches_(bundle.supply.size()) {}

  Filling fill() {
    Filling filling;
    for (int cut = 0; cut < kMostCuts; ++cut) {
      if (fits(filling.fullest)) break;
      const double level = level_of_cut();
      if (level <= filling.fullest * (1 + 1e-13)) break;  // only rounding is missing
      filling.fullest = level;
    }
    for (std::size_t i = 0; i < cables_.size(); ++i)
      filling.shares.push_back(static_cast<double>(flow_.flow(i)) / kWhole);
    return filling;
  }

private:
  std::size_t source() const { return switches_; }
  std::size_t sink() const { return switches_ + 1; }

  // Whether all of the bundle flows while no cable is fuller than that.
  bool fits(double level) {
    flow_ = MaxFlow(switches_ + 2);
    for (std::size_t i = 0; i < cables_.size(); ++i) {
      const double room = level * cables_[i].capacity - cables_[i].others;
      const double part = std::min(1.0, std::max(0.0, room / rate_));
      const Bundle::Cable& cable = bundle_.cables[i];
      flow_.add_edge(static_cast<std::size_t>(cable.from), static_cast<std::size_t>(cable.to),
                     std::llround(part * kWhole));
    }
    std::int64_t all = 0;
    for (std::size_t i = 0; i < switches_; ++i) {
      const auto supply = std::llround(std::abs(bundle_.supply[i]) * kWhole);
      if (bundle_.supply[i] > kNegative) flow_.add_edge(source(), i, supply);
      if (bundle_.supply[i] > kNegative) all += supply;
      if (bundle_.supply[i] < -kNegative) flow_.add_edge(i, sink(), supply);
    }
    return flow_.run(source(), sink()) >= all;
  }

  // What the cut that holds the flow back must be filled to.
  double level_of_cut() const {
    std::vector<Occupancy> crossing;
    double must = 0;
    for (std::size_t i = 0; i < switches_; ++i)
      if (flow_.is_reached(i)) must += bundle_.supply[i];
    for (std::size_t i = 0; i < cables_.size(); ++i) {
      const Bundle::Cable& cable = bundle_.cables[i];
      if (flow_.is_reached(static_cast<std::size_t>(cable.from)) &&
          !flow_.is_reached(static_cast<std::size_t>(cable.to)))
        crossing.push_back(cables_[i]);
    }
    return crossing.empty() ? 0 : level_of(std::move(crossing), must * rate_);
  }

  const Bundle& bundle_;
  const std::vector<Occupancy>& cables_;
  double rate_;
  std::size_t switches_;
  MaxFlow flow_{0};
};

}  // namespace

double least_filling(const Bundle& bundle, const std::vector<Occupancy>& cables, double rate) {
  double must = 0;
  for (const double supply : bundle.supply) must += std::max(0.0, supply);
  return std::max(level_of(at_the_ends(bundle, cables, 1), must * rate),
                  level_of(at_the_ends(bundle, cables, -1), must * rate));
}

Filling fill_evenly(const Bundle& bundle, const std::vector<Occupancy>& cables, double rate) {
  return Filler(bundle, cables, rate).fill();
}

}  // namespace trainyard
