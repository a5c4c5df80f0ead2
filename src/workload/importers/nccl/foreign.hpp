// Bandwidths that others than nccl-tests print: Markdown tables, and PyTorch's all_reduce_bench.
#pragma once

#include "workload/importers/nccl/row.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

// A message size as tables label it. "32KiB" is exact; "65K", "132K" and "33M" stand for the
// nearest power of two. Zero if it is no size.
Bytes size_label(std::string_view text);

// A Markdown table of bus bandwidth by message size, met line by line.
class BandwidthTable {
public:
  // A line that starts with '|': true if it belongs to such a table (its header included).
  bool take(std::string_view line, int number);
  void end() { columns_.clear(); }
  std::vector<PrintedRow>& rows() { return rows_; }

private:
  bool take_header(const std::vector<std::string>& cells);

  std::vector<char> columns_;  // 's' size, 'b' busbw, 'a' algbw, ' ' something else
  std::vector<PrintedRow> rows_;
};

// all_reduce_bench: every rank prints its size once and a duration per trial. One row comes of it:
// the median over ranks and trials. (Its "algo throughput" counts the buffer twice; it is not
// used.)
class BenchOutput {
public:
  void take(std::string_view line, int number);
  std::optional<PrintedRow> row() const;  // nothing if it was no such output
  int ranks() const { return ranks_; }

private:
  int ranks_ = 0, line_ = 0;
  double size_ = 0;
  std::vector<double> seconds_;
};

}  // namespace trainyard
