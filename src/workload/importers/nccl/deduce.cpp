// Which operation, on how many ranks: what the columns say, against what the surroundings say.
#include "workload/importers/nccl/row.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

// The ratio of busbw to algbw, known as well as the largest figure is printed.
struct Ratio {
  double value = 0, error = 1;
};

Ratio sharpest_ratio(const std::vector<PrintedRow>& rows) {
  Ratio best;
  for (const PrintedRow& printed : rows) {
    const NcclRow& row = printed.row;
    if (row.size == bytes(0) || !(row.busbw > 0) || !(row.algbw > 0)) continue;
    const double error = (0.0051 + 0.0051 * row.busbw / row.algbw) / row.algbw + 1e-6;
    if (error < best.error) best = {row.busbw / row.algbw, error};
  }
  return best;
}

bool fits(const NcclOperation& operation, int ranks, const Ratio& ratio) {
  return ratio.value == 0 || std::abs(bus_factor(operation, ranks) - ratio.value) <= ratio.error;
}

// size / (count x type size) of the largest row: 1, or the ranks where each has a part.
int parts(const std::vector<PrintedRow>& rows) {
  const PrintedRow* best = nullptr;
  for (const PrintedRow& printed : rows)
    if (printed.count > 0 && printed.type_size > 0 && (!best || printed.count > best->count))
      best = &printed;
  if (!best) return 0;
  return static_cast<int>(best->row.size.count() / (best->count * best->type_size));
}

// Of the numbers of ranks that the ratio allows, whole multiples of 8, 4 and 2 are likelier.
int ranks_from(const NcclOperation& operation, const Ratio& ratio) {
  if (operation.factor == BusFactor::Whole || ratio.value == 0) return 0;
  for (const int step : {8, 4, 2, 1})
    for (int ranks = std::max(2, step); ranks <= 65536; ranks += step) {
      if (fits(operation, ranks, ratio)) return ranks;
      if (bus_factor(operation, ranks) > ratio.value + ratio.error) break;
    }
  return 0;
}

}  // namespace

Deduction deduce(const std::vector<PrintedRow>& rows, int known_ranks,
                 const std::vector<const NcclOperation*>& hints) {
  const Ratio ratio = sharpest_ratio(rows);
  const int pieces = parts(rows);
  const bool reduces =
      std::any_of(rows.begin(), rows.end(), [](const PrintedRow& r) { return r.reduces; });
  const auto ranks_as = [&](const NcclOperation& operation) {
    if (known_ranks > 0) return known_ranks;
    if (operation.cuts_count && pieces > 1) return pieces;
    return ranks_from(operation, ratio);
  };
  const auto possible = [&](const NcclOperation& operation) {
    if (operation.reduces != reduces) return false;
    if (pieces > 0 && operation.cuts_count != (pieces > 1)) return false;
    const int ranks = ranks_as(operation);
    return ranks == 0 ? operation.factor == BusFactor::Whole && fits(operation, 2, ratio)
                      : fits(operation, ranks, ratio);
  };
  for (const NcclOperation* hint : hints)
    if (hint && possible(*hint)) return {hint, ranks_as(*hint)};
  for (const NcclOperation& operation : nccl_operations())
    if (possible(operation)) return {&operation, ranks_as(operation)};
  return {};
}

}  // namespace trainyard
