// What a job asks of nodes: the part of a submission that node selection looks at.
#pragma once

#include "schedulers/slurm/job/constraint.hpp"
#include "schedulers/slurm/node_set.hpp"

namespace trainyard::slurm {

struct Request {
  int min_nodes = 1, max_nodes = 1;
  int wanted_nodes = 1;    // Slurm's req_nodes: max_nodes where a range was asked for
  int tasks = 0;           // 0: one a node
  int tasks_per_node = 1;  // 0: not said
  int cpus_per_task = 1;
  int gpus_per_node = 0;
  int gpus_total = 0;  // --gpus, over all nodes
  long memory_per_node = 0, memory_per_cpu = 0;
  bool exclusive = false, contiguous = false, spread = false;
  bool exclusive_topology = false;  // --exclusive=topo: nobody else in its blocks
  int segment = 0;                  // nodes of each part that stays in one block; 0: not said
  bool consolidate_segments = false, spread_segments = false;
  NodeSet required;  // of size 0: none
  NodeSet excluded;  // of size 0: none
  FeatureConstraint constraint;
  int switches = 0;  // at most so many leaves; 0: any

  bool has_required() const { return required.size() > 0; }
  int min_cpus() const {
    const int all = tasks > 0 ? tasks : min_nodes * (tasks_per_node > 0 ? tasks_per_node : 1);
    return all * cpus_per_task;
  }
  int cpus_on_a_node() const { return (tasks_per_node > 0 ? tasks_per_node : 1) * cpus_per_task; }
};

}  // namespace trainyard::slurm
