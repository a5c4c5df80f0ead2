// What happens to a job that is preempted.
#pragma once

namespace trainyard::slurm {

enum class PreemptMode { Off, Cancel, Requeue, Suspend };
enum class PreemptType { None, PartitionPriority, Qos };

}  // namespace trainyard::slurm
