// Who is in which group: a file of groups, and what a trace itself says.
#pragma once

#include "workload/importers/chakra/graph.hpp"

#include <string>

namespace trainyard {

// {"0": [0, 1], "dp": [2, 3]}
ChakraGroups read_chakra_groups(const std::string& file);

// Adds the groups that a process_group node lists: [{"pg_name": "0", "ranks": [0, 1]}], at times
// quoted once more. No ranks: all of the job (an empty list here). What is not such a list is left.
void add_listed_groups(const std::string& values, ChakraGroups& groups);

int highest_rank(const ChakraGroups& groups);  // -1 if there is none

}  // namespace trainyard
