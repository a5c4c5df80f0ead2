#include "workload/importers/nccl/operation.hpp"

#include <cctype>

namespace trainyard {

const std::vector<NcclOperation>& nccl_operations() {
  using F = BusFactor;
  static const std::vector<NcclOperation> all = {
      {"all_reduce", "all_reduce", F::TwoPasses, true, false},
      {"all_gather", "all_gather", F::OnePass, false, true},
      {"reduce_scatter", "reduce_scatter", F::OnePass, true, true},
      {"alltoall", "all_to_all", F::OnePass, false, true},
      {"broadcast", "broadcast", F::Whole, false, false},
      {"reduce", "reduce", F::Whole, true, false},
      {"gather", "gather", F::OnePass, false, true},
      {"scatter", "scatter", F::OnePass, false, true},
      {"sendrecv", "send_recv", F::Whole, false, false},
  };
  return all;
}

const NcclOperation* find_nccl_operation(std::string_view name) {
  for (const NcclOperation& operation : nccl_operations())
    if (name == operation.name || name == operation.kind) return &operation;
  return nullptr;
}

const NcclOperation* nccl_operation_of(CollectiveKind kind) {
  return find_nccl_operation(to_string(kind));
}

double bus_factor(const NcclOperation& operation, int ranks) {
  const double passes = static_cast<double>(ranks - 1) / ranks;
  if (operation.factor == BusFactor::TwoPasses) return 2 * passes;
  return operation.factor == BusFactor::OnePass ? passes : 1;
}

const NcclOperation* nccl_operation_in(std::string_view text) {
  std::string letters;  // "All-Reduce", "all_reduce" and "allreduce" are one word
  for (const char c : text)
    if (std::isalpha(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  // Longer words first: "reducescatter" holds "reduce".
  for (const char* word : {"all_reduce", "all_gather", "reduce_scatter", "alltoall", "broadcast",
                           "sendrecv", "reduce", "gather", "scatter"}) {
    std::string bare;
    for (const char* c = word; *c != '\0'; ++c)
      if (*c != '_') bare += *c;
    if (letters.find(bare) != std::string::npos) return find_nccl_operation(word);
  }
  return nullptr;
}

}  // namespace trainyard
