// Sweeps completed, and written in nccl-tests' own columns.
#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/nccl/sweep.hpp"

#include <cmath>
#include <cstdio>

namespace trainyard {

namespace {

// As nccl-tests prints a time: four digits or more.
std::string time_text(Seconds time) {
  const double microseconds = in_microseconds(time);
  if (microseconds >= 10000) return fixed(microseconds, 0);
  return fixed(microseconds, microseconds >= 100 ? 1 : 2);
}

}  // namespace

void settle(NcclSweep& sweep, int ranks, int nodes) {
  const Place place{sweep.file, sweep.line};
  if (ranks > 0) sweep.ranks = ranks;
  if (nodes > 0) sweep.nodes = nodes;
  if (sweep.ranks < 2)
    throw InputError(place, "", "does not say how many ranks took part; name them");
  const double factor = bus_factor(*sweep.operation, sweep.ranks);
  for (NcclRow& row : sweep.rows) {
    const auto size = static_cast<double>(row.size.count());
    if (!(row.time > Seconds(0)) && row.busbw > 0)
      row.time = seconds(size * factor / row.busbw / 1e9);
    if (row.algbw > 10 && std::abs(row.busbw / row.algbw - factor) > 0.01 * factor)
      throw InputError(place, "",
                       "busbw / algbw is " + fixed(row.busbw / row.algbw, 3) + ", but " +
                           sweep.operation->name + " on " + std::to_string(sweep.ranks) +
                           " ranks has the factor " + fixed(factor, 3));
  }
}

std::string nccl_table_header() {
  return "#                                                              out-of-place              "
         "         in-place\n"
         "#       size         count      type   redop    root     time   algbw   busbw #wrong     "
         "time   algbw   busbw #wrong\n"
         "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            "
         "(us)  (GB/s)  (GB/s)\n";
}

std::string nccl_table_row(const NcclOperation& operation, int ranks, const NcclRow& row) {
  const bool rooted = operation.factor == BusFactor::Whole && operation.name[0] != 's';
  const std::int64_t count = row.size.count() / 4 / (operation.cuts_count ? ranks : 1);
  char text[200];
  std::snprintf(text, sizeof text, "%12lld  %12lld  %8s  %6s  %6s",  // NOLINT: fixed columns
                static_cast<long long>(row.size.count()), static_cast<long long>(count), "float",
                operation.reduces ? "sum" : "none", rooted ? "0" : "-1");
  std::string line = text;
  for (const Seconds time : {row.time, row.in_place}) {
    const bool known = time > Seconds(0);
    const double algbw = known ? static_cast<double>(row.size.count()) / in_seconds(time) / 1e9 : 0;
    const std::string algbw_text = known ? fixed(algbw, 2) : "N/A";
    const std::string busbw_text = known ? fixed(algbw * bus_factor(operation, ranks), 2) : "N/A";
    std::snprintf(text, sizeof text, "  %7s  %6s  %6s  %5s",
                  known ? time_text(time).c_str() : "N/A", algbw_text.c_str(), busbw_text.c_str(),
                  "N/A");
    line += text;
  }
  return line;
}

}  // namespace trainyard
