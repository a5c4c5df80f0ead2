// An attribute of a Chakra node.
#pragma once

#include "workload/importers/chakra/wire.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace trainyard {

// An attribute's value, whatever type its writer chose.
struct ChakraAttribute {
  std::string_view name;
  std::optional<double> real;           // double, float
  std::optional<std::int64_t> integer;  // every integer type, bool, and text that is one
  std::string_view text;                // string, bytes
  std::vector<bool> flags;              // list of bool
};

ChakraAttribute read_chakra_attribute(WireBytes message);

// Of whatever type holds one.
std::optional<std::int64_t> whole_number(const ChakraAttribute& attribute);

}  // namespace trainyard
