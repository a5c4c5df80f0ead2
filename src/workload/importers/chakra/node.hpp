// A node of a Chakra execution trace, as far as Trainyard uses it.
//
// INVARIANT: what a trace does not say is absent, not zero: a missing size would be a free
// collective, a missing time a free kernel.
#pragma once

#include "base/quantity.hpp"
#include "workload/importers/chakra/wire.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

enum class ChakraNodeType {
  Invalid,
  Metadata,
  MemoryLoad,
  MemoryStore,
  Compute,
  Send,
  Receive,
  Collective
};

struct ChakraNode {
  std::int64_t id = 0;
  std::string name;
  ChakraNodeType type = ChakraNodeType::Invalid;
  std::vector<std::int64_t> data_deps, control_deps;
  std::int64_t start_us = 0, duration_us = 0;
  std::optional<bool> on_cpu;
  std::optional<std::int64_t> operations, tensor_bytes;  // num_ops, tensor_size
  std::optional<std::int64_t> comm_type, comm_bytes;     // comm_type, comm_size
  std::optional<std::int64_t> from, to, tag, stream;     // comm_src, comm_dst, comm_tag, tid
  std::optional<std::string> group;                      // pg_name, comm_group
  bool some_dimensions = false;                          // involved_dim names fewer than all
  std::string input_values;                              // of a metadata node: what it holds
};

ChakraNode read_chakra_node(WireBytes message);

// Whether a file's first message is its GlobalMetadata and not a node. Only nodes have numbers.
bool is_chakra_metadata(WireBytes message);

// "schema" or the version itself; "" if neither is there.
std::string chakra_version(WireBytes metadata);

}  // namespace trainyard
