// PartitionName= lines of slurm.conf.
#pragma once

#include "schedulers/slurm/site/conf/conf_lines.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <map>
#include <string>
#include <vector>

namespace trainyard::slurm {

// Names given by NodeSet= lines.
using NodeSetNames = std::map<std::string, std::vector<std::string>>;

// What the line says of a partition, over what it already has (from PartitionName=DEFAULT).
void take_partition_options(SlurmPartition& partition, const ConfRecord& record,
                            const SlurmSite& site, const NodeSetNames& sets);

}  // namespace trainyard::slurm
