// What several laboratories measured of the same collective on the same kind of machine.
#pragma once

#include "base/quantity.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace trainyard {

// Platform, operation, ranks, size.
using EnvelopeKey = std::tuple<std::string, std::string, int, std::int64_t>;

struct Envelope {
  Seconds fastest = forever(), slowest;
  int laboratories = 0;

  bool holds(Seconds time) const { return fastest <= time && time <= slowest; }
};

class Envelopes {
public:
  // `fitted`: the platform's calibration has seen this laboratory's log.
  void add(const EnvelopeKey& key, const std::string& laboratory, Seconds time, bool fitted);

  // All of them. None of fewer than two: one laboratory is no range.
  std::optional<Envelope> all(const EnvelopeKey& key) const;
  // Without the laboratory itself and without those that the fit has seen: the fit would be
  // compared with its own source.
  std::optional<Envelope> unseen_others(const EnvelopeKey& key,
                                        const std::string& laboratory) const;

private:
  struct Measured {
    Seconds time;
    bool fitted = false;
  };
  std::map<EnvelopeKey, std::map<std::string, Measured>> measured_;
};

}  // namespace trainyard
