// NodeName= lines of slurm.conf.
#pragma once

#include "schedulers/slurm/site/conf/conf_lines.hpp"
#include "schedulers/slurm/site/site.hpp"

namespace trainyard::slurm {

// What the line says of a node, over what `node` already has (from NodeName=DEFAULT).
void take_node_options(SlurmNode& node, const ConfRecord& record);

}  // namespace trainyard::slurm
