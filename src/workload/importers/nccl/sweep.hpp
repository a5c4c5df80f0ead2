// Measured collectives as plain data: what nccl-tests and its relatives print, whoever printed it.
//
// read_nccl_log() takes nccl-tests' own output of any age (also behind mpirun's and srun's
// prefixes and inside Markdown code blocks), Markdown tables of bus bandwidth by message size,
// the output of PyTorch's all_reduce_bench, and a CSV of rows cut from such logs. A file may hold
// several sweeps.
//
// What the source does not say stays 0; the operation and the number of ranks are also deduced from
// the figures themselves (type, count, ratio of busbw to algbw). A line of a table that cannot be
// read, or that contradicts itself, is skipped with a warning; a file without any row is an error.
#pragma once

#include "base/quantity.hpp"
#include "workload/importers/nccl/operation.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct NcclRow {
  Bytes size;
  Seconds time;                 // out of place; zero if not given
  Seconds in_place;             // zero if not given
  double algbw = 0, busbw = 0;  // GB/s (10^9) as printed; 0 if not given
};

struct NcclSweep {
  std::string file;
  int line = 0;  // of its first row
  const NcclOperation* operation = nullptr;
  int ranks = 0, nodes = 0;    // 0: unknown
  std::string gpu;             // "NVIDIA H100 80GB HBM3", if it says so
  bool in_place_only = false;  // `time` and `busbw` are in-place figures
  std::vector<NcclRow> rows;
};

struct NcclLog {
  std::vector<NcclSweep> sweeps;
  std::vector<std::string> warnings;  // "file:line: problem"
};

NcclLog read_nccl_log(const std::string& file);

// Fills in what a source without times leaves open: time = size x factor / busbw. Sets the ranks
// and nodes that the caller knows better (0 keeps the sweep's own). Throws InputError if the ranks
// stay unknown, or contradict the ratio of busbw to algbw.
void settle(NcclSweep& sweep, int ranks, int nodes);

// nccl-tests' own columns.
std::string nccl_table_header();
std::string nccl_table_row(const NcclOperation& operation, int ranks, const NcclRow& row);

}  // namespace trainyard
