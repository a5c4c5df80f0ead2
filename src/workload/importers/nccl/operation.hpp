// The operations of nccl-tests, and what its "bus bandwidth" means for each.
//
// algbw = size / time; busbw = algbw x factor, where size is the total buffer: the whole gathered
// result of an all-gather, the whole input of a reduce-scatter, one rank's whole buffer of an
// all-to-all. The factor assumes a ring: under in-switch reduction busbw may exceed the link.
#pragma once

#include "collectives/collective.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

enum class BusFactor { TwoPasses, OnePass, Whole };  // 2(n-1)/n, (n-1)/n, 1

struct NcclOperation {
  const char* name;  // as in all_reduce_perf
  const char* kind;  // to_string() of its CollectiveKind
  BusFactor factor;
  bool reduces;     // its redop column is an operator
  bool cuts_count;  // its count column is that of one rank's part: size = ranks x count x type size
};

const std::vector<NcclOperation>& nccl_operations();

// nullptr if there is none. The first takes nccl-tests' names, the second ours, too.
const NcclOperation* find_nccl_operation(std::string_view name);
const NcclOperation* nccl_operation_of(CollectiveKind kind);

double bus_factor(const NcclOperation& operation, int ranks);

// The operation that a text speaks of ("..allReduce-8gpu.log", "all_gather_perf"), or nullptr.
const NcclOperation* nccl_operation_in(std::string_view text);

}  // namespace trainyard
