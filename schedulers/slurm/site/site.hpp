// A site as its Slurm is configured: plain data, whatever file it came from.
//
// Nodes are in the order of their names (n2 before n10), as Slurm's node table is; every index of a
// node is into this order. Times are seconds, limits of jobs minutes, as Slurm has them. What a
// site leaves out has the value that Slurm 22.05 gives it.
#pragma once

#include "schedulers/slurm/node_set.hpp"
#include "schedulers/slurm/site/accounting.hpp"
#include "schedulers/slurm/site/block_topology.hpp"
#include "schedulers/slurm/site/parameters.hpp"
#include "schedulers/slurm/site/switch_tree.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::slurm {

constexpr int kNoLimit = 0x7fffffff;  // of minutes, nodes or jobs

struct SlurmNode {
  std::string name;
  int sockets = 1, cores_per_socket = 1, threads_per_core = 1;
  long memory = 1;  // MB
  int weight = 1;
  std::vector<std::string> features;
  std::string state;            // as configured: "" is up
  std::vector<int> gpu_socket;  // of each GPU; -1: reached from every core
  std::string gpu_type;
  std::vector<std::vector<int>> gpu_links;  // connections between GPUs; empty if not given

  int cores() const { return sockets * cores_per_socket; }
  int cpus() const { return cores() * threads_per_core; }
  int gpus() const { return static_cast<int>(gpu_socket.size()); }
};

struct SlurmPartition {
  std::string name;
  NodeSet nodes;
  bool is_default = false, up = true, lln = false;
  int max_time = kNoLimit, default_time = kNoLimit;
  int min_nodes = 1, max_nodes = kNoLimit;
  int tier = 1, job_factor = 1;
  std::optional<PreemptMode> preempt_mode;  // none: the cluster's
  int grace = 0;
  bool exclusive = false;           // OverSubscribe=EXCLUSIVE
  bool exclusive_topology = false;  // ExclusiveTopo: its jobs have their blocks to themselves
  bool share_forced = false;        // OverSubscribe=FORCE
  int share = 1;                    // jobs per resource: FORCE:n and YES:n
  int max_cpus_per_node = kNoLimit;
  std::optional<int> over_time_limit;
  std::string qos;
  std::vector<std::string> allow_qos, deny_qos, allow_accounts, deny_accounts;
  std::map<std::string, double> billing_weights;
};

struct SlurmSite {
  std::string cluster;
  std::vector<SlurmNode> nodes;
  std::vector<SlurmPartition> partitions;
  std::vector<SlurmSwitchRecord> switches;  // in the order of topology.conf; empty: none
  SlurmParameters parameters;
  SlurmAccounting accounting;
  bool equal_weights = false;         // of all nodes; false until prepared
  BlockTopology blocks;               // of topology/block; empty: none
  SwitchTree tree;                    // of `switches`; empty until prepared
  std::vector<std::string> warnings;  // known settings that are not modelled, once each

  // Adds all of the blocks (or leaf switches) that some of the nodes are in.
  void widen_to_topology(NodeSet& some) const;

  // Works out what selection often looks up: after the last change of nodes or switches.
  void prepare();
  int node_count() const { return static_cast<int>(nodes.size()); }
  int node_index(const std::string& name) const;       // -1 if there is none
  int partition_index(const std::string& name) const;  // -1 if there is none
  int default_partition() const;                       // -1 if there is none
};

}  // namespace trainyard::slurm
