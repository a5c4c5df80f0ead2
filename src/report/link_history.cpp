#include "report/link_history.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

std::int64_t LinkHistory::bin_at(Seconds date) const {
  return static_cast<std::int64_t>(std::floor(date / bin_));
}

void LinkHistory::add(Seconds from, Seconds to, const std::vector<double>& bytes) {
  while (bin_at(to) >= kMostBins) coarsen();
  const std::int64_t first = bin_at(from), last = bin_at(to);
  for (std::int64_t bin = first; bin <= last; ++bin) {
    const auto start = static_cast<double>(bin) * bin_, end = static_cast<double>(bin + 1) * bin_;
    const double part =
        first == last ? 1 : (std::min(to, end) - std::max(from, start)) / (to - from);
    if (!(part > 0)) continue;
    for (std::size_t link = 0; link < bytes.size(); ++link)
      if (bytes[link] > 0)
        bytes_[{bin, LinkId(static_cast<std::int64_t>(link))}] += part * bytes[link];
  }
}

void LinkHistory::coarsen() {
  std::map<std::pair<std::int64_t, LinkId>, double> longer;
  for (const auto& [key, carried] : bytes_) longer[{key.first / 2, key.second}] += carried;
  bytes_ = std::move(longer);
  bin_ = 2 * bin_;
}

}  // namespace trainyard
