// What the controller knows: jobs, nodes and who uses what, reservations, accounts' usage, the
// time.
//
// Everything that decides reads this and nothing else; it is plain data with the bookkeeping that
// must not be forgotten. INVARIANT: `use` is the sum of the allocations of running and suspended
// jobs (`hold` and `give_back` keep it so).
#pragma once

#include "schedulers/slurm/accounts/usage.hpp"
#include "schedulers/slurm/job/record.hpp"
#include "schedulers/slurm/select/cluster_use.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace trainyard::slurm {

struct AdvanceReservation {
  std::string name;
  Time start = 0, end = 0;
  NodeSet nodes;
  bool maintenance = false, flex = false, any_nodes = false;
};

class SlurmState {
public:
  explicit SlurmState(const SlurmSite& site);

  JobRecord& job(int index) { return jobs_[static_cast<std::size_t>(index)]; }
  const JobRecord& job(int index) const { return jobs_[static_cast<std::size_t>(index)]; }
  int job_count() const { return static_cast<int>(jobs_.size()); }
  JobRecord& add_job();
  const SlurmPartition& partition(int index) const {
    return site.partitions[static_cast<std::size_t>(index)];
  }
  const SlurmQos* qos(const JobRecord& record) const {
    return record.qos < 0 ? nullptr : &site.accounting.qos[static_cast<std::size_t>(record.qos)];
  }
  // Tasks or the one record of a submission; empty if there is none of that id.
  std::vector<int> records_of(const std::string& id) const;
  void name_record(const JobRecord& record);

  // A pending job starts on its allocation; a run ends and its nodes complete one by one.
  void hold(JobRecord& record);
  void give_back(JobRecord& record);
  void node_completed(int node);
  // The node is cut out of a running job, which goes on smaller.
  void shrink(JobRecord& record, int node);

  void set_down(int node);
  void set_drained(int node, bool drained);
  void set_up(int node);
  bool is_down(int node) const { return down.has(node); }

  void changed() { last_change = now; }

  // Nodes with so many GPUs free, whatever their state; of more than any has: none.
  const NodeSet& with_free_gpus(int gpus) const {
    return free_gpus_[std::min(static_cast<std::size_t>(gpus), free_gpus_.size() - 1)];
  }
  // Whether the job has the blocks of its nodes to itself: by its options or its partition's.
  bool has_its_topology(const JobRecord& record) const {
    return record.job->request.exclusive_topology || partition(record.partition).exclusive_topology;
  }
  int running_with_their_topology() const { return with_topology_; }

  // Changes whenever a node comes or goes.
  int node_changes() const { return node_changes_; }

  const SlurmSite& site;
  Time now = 0;
  Time last_change = 0;
  ClusterUse use;
  NodeSet down, drained;
  NodeSet available;                  // neither down nor drained
  NodeSet completing;                 // with a job that is being cleaned up
  NodeSet shareable;                  // not held by an exclusive job
  std::vector<int> pending, running;  // indices, ascending: in the order of the job table
  std::vector<AdvanceReservation> reservations;
  AccountUsage usage;
  std::vector<double> shares;             // fair shares of associations, as last computed
  double lowest_priority = 4294901760.0;  // of priority/basic: the next is one less

private:
  std::deque<JobRecord> jobs_;
  std::unordered_map<std::string, std::vector<int>> by_id_;
  void count_gpus(const Allocation& allocation);

  std::vector<int> completing_count_, exclusive_count_;
  std::vector<NodeSet> free_gpus_;  // [k]: with at least k; the last is empty
  int node_changes_ = 1;
  int with_topology_ = 0;  // running jobs that have their topology to themselves
};

}  // namespace trainyard::slurm
