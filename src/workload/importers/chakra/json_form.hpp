// The nodes of one rank's trace, and how they are read from the JSON form ("workload_graph").
#pragma once

#include "workload/importers/chakra/node.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct ChakraFile {
  std::string version;
  std::vector<ChakraNode> nodes;
};

ChakraFile read_chakra_json_file(const std::string& file);

}  // namespace trainyard
