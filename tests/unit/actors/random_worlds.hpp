// What property tests of folding roll: dice with a name, and a machine with slow parts.
#pragma once

#include "actors/machine.hpp"
#include "base/rng.hpp"
#include "network/routing_choice.hpp"
#include "platforms/xml.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

class Dice {
public:
  explicit Dice(std::uint64_t seed) : random_(RandomSource(seed).stream("folding")) {}
  int from(int least, int most) {
    return least + static_cast<int>(random_.below(static_cast<std::uint64_t>(most) -
                                                  static_cast<std::uint64_t>(least) + 1));
  }
  double between(double least, double most) { return least + (most - least) * random_.uniform(); }
  bool chance(double p) { return random_.uniform() < p; }
  template <typename T>
  T one_of(std::vector<T> values) {
    return values[random_.below(values.size())];
  }
  template <typename T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[random_.below(i)]);
  }

private:
  RandomStream random_;
};

struct World {
  Platform platform;
  std::unique_ptr<Routing> routing;
  Machine machine;

  explicit World(const std::string& file)
      : platform(load_platform(TRAINYARD_SOURCE_DIR "/platforms/" + file, {})),
        routing(make_routing(platform, {platform.default_routing, 1, 7})) {
    machine.platform = &platform;
    machine.routing = routing.get();
    machine.capacities = nominal_capacities(platform);
    machine.gpu_slowdown.assign(platform.gpus.size(), 1.0);
  }

  void slow_down(Dice& dice) {
    for (int i = dice.from(0, 3); i > 0; --i)
      machine.gpu_slowdown[static_cast<std::size_t>(dice.from(0, platform.gpu_count() - 1))] =
          dice.one_of<double>({1.07, 1.5});
    for (int i = dice.from(0, 3); i > 0; --i)
      machine.capacities[static_cast<std::size_t>(dice.from(
          0, static_cast<int>(platform.links.size()) - 1))] *= dice.one_of<double>({0.5, 0.8});
  }
};

}  // namespace trainyard
