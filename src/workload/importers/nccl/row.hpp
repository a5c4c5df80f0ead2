// One line of nccl-tests' table, and what the columns alone say about operation and ranks.
#pragma once

#include "workload/importers/nccl/sweep.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

// A row with the columns that tell which operation it was.
struct PrintedRow {
  NcclRow row;
  int line = 0;
  std::int64_t count = 0;
  int type_size = 0;  // 0: unknown type
  bool reduces = false;
};

// "0: ", "[1,0]<stdout>:" and blanks before what the program printed.
std::string_view without_prefix(std::string_view line);

std::vector<std::string_view> words(std::string_view text);

// Bytes of an element of "float", "bfloat16", ...; 0 if it is no type of NCCL's.
int type_size(std::string_view type);

// The words of a row, or nothing and a reason. A row is
//   size count type [redop] [root] time algbw busbw error [time algbw busbw error] [more]
// `has_root` is what the header says, if there was one: without it, the number of words decides.
std::optional<PrintedRow> parse_nccl_row(const std::vector<std::string_view>& words,
                                         std::optional<bool> has_root, std::string& problem);

// Why the row's own figures contradict each other, or "". Printed figures have two decimals and
// four digits of time.
std::string contradiction_in(const NcclRow& row);

// Operation and ranks of rows that belong together. `hints`: what the surroundings say, best first;
// an operation that contradicts the figures is not believed. `known_ranks`: 0 if unknown.
struct Deduction {
  const NcclOperation* operation = nullptr;
  int ranks = 0;
};
Deduction deduce(const std::vector<PrintedRow>& rows, int known_ranks,
                 const std::vector<const NcclOperation*>& hints);

}  // namespace trainyard
