// A Fluid over equal links, and a diary of what ended.
#pragma once

#include "network/fluid.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace trainyard {

inline constexpr double kRate = 100;  // bytes/s of every link

// What ended, in order, and when.
struct Diary final : Listener {
  explicit Diary(Fluid& watched) : fluid(watched) {}
  void completed(std::int64_t tag) override {
    tags.push_back(tag);
    dates.push_back(in_seconds(fluid.now() - Fluid::Instant{}));
  }
  Fluid& fluid;
  std::vector<std::int64_t> tags;
  std::vector<double> dates;
};

struct FluidWorld {
  explicit FluidWorld(int links)
      : platform(make(links)), fluid(nominal_capacities(platform), platform) {}
  static Platform make(int links) {
    Platform made;
    made.links.resize(static_cast<std::size_t>(links));
    for (Link& link : made.links) link.bandwidth = bytes_per_second(kRate);
    return made;
  }
  Fluid::PatternId pattern(const std::vector<int>& links, double length, double latency = 0) {
    FlowGroup group;
    for (const int link : links) group.demands.push_back({LinkId(link), 1});
    group.length = length;
    group.latency = Seconds(latency);
    return fluid.add_pattern(std::make_shared<const FlowGroup>(group));
  }
  void run_until(double date) {
    while (true) {
      const double left = date - in_seconds(fluid.now() - Fluid::Instant{});
      const Seconds next = fluid.until_next();
      if (in_seconds(next) > left) return fluid.advance(Seconds(left));
      fluid.advance(next);
    }
  }
  void run() {
    for (Seconds next = fluid.until_next(); next != forever(); next = fluid.until_next())
      fluid.advance(next);
  }

  Platform platform;
  Fluid fluid;
  Diary diary{fluid};
};

}  // namespace trainyard
