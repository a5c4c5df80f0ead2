#include "schedulers/policy.hpp"

namespace trainyard {

int blocks_available(const std::vector<int>& free_per_node, int per_block) {
  int blocks = 0;
  for (const int free : free_per_node)
    if (free >= per_block) blocks += free / per_block;  // most nodes are busy: spare the division
  return blocks;
}

}  // namespace trainyard
