// Which NICs a GPU uses.
#pragma once

#include "platforms/graph_spec.hpp"
#include "platforms/importers/nccl_topology.hpp"

namespace trainyard {

// Each GPU takes the nearest NIC, of equals the one with the fewest GPUs; then each NIC that is
// left over beside GPUs goes to the one of them with the fewest NICs.
// kind.nics[i] is node.nics[i]; fills their `gpus`.
void assign_nics(GraphSpec::NodeKind& kind, const NcclNode& node);

}  // namespace trainyard
