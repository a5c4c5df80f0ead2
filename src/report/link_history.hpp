// What every link carried over time: bytes by link and bin of time.
//
// INVARIANT: a link's bytes over all bins are the bytes that were added. Bins are equally long;
// when there would be too many, neighbours are put together and each is twice as long.
#pragma once

#include "base/ids.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace trainyard {

class LinkHistory {
public:
  static constexpr std::int64_t kMostBins = 4096;

  LinkHistory() = default;  // of nothing: is_kept() is false
  explicit LinkHistory(Seconds bin) : bin_(bin) {}

  bool is_kept() const { return bin_ > Seconds(0); }
  Seconds bin() const { return bin_; }

  // Bytes by LinkId that were moved evenly from one date to another.
  void add(Seconds from, Seconds to, const std::vector<double>& bytes);

  // By bin, then link; what carried nothing is not there.
  const std::map<std::pair<std::int64_t, LinkId>, double>& bytes() const { return bytes_; }

private:
  std::int64_t bin_at(Seconds date) const;
  void coarsen();

  Seconds bin_;
  std::map<std::pair<std::int64_t, LinkId>, double> bytes_;
};

}  // namespace trainyard
