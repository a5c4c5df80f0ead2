// Whether and where a job fits: node selection with what only a job knows, switches and sharing.
#pragma once

#include "schedulers/slurm/select/choose_nodes.hpp"
#include "schedulers/slurm/state.hpp"

#include <vector>

namespace trainyard::slurm {

// The cluster as a test sees it: now, or after some jobs are gone.
struct TestView {
  const ClusterUse& use;
  const std::vector<int>& running;  // whose cores are in `use`
  bool extra_row = false;           // of a QOS that preempts by suspending
};

class JobTest {
public:
  // The record with the partition it is tried in.
  JobTest(SlurmState& state, JobRecord& record)
      : JobTest(state, record, record.job->request, record.features.get()) {}
  // Of a part of its request.
  JobTest(SlurmState& state, JobRecord& record, const Request& request,
          const FeatureNodes* features = nullptr)
      : state_(state),
        record_(record),
        partition_(state.partition(record.partition)),
        selection_{state.site, partition_, request, node_counts(partition_, request), features} {}

  const NodeCounts& counts() const { return selection_.counts; }
  const SelectionOf& selection() const { return selection_; }

  // The nodes it would take, or nothing.
  Nodes fits(const NodeSet& candidates, const TestView& view);

private:
  bool too_many_leaves(const NodeSet& nodes) const;
  NodeSet without_taken_topology(const NodeSet& candidates, const TestView& view) const;
  Nodes choose(const NodeSet& candidates, const ClusterUse& use);
  Nodes share_cores(const NodeSet& candidates, const TestView& view);
  Nodes in_a_row(const NodeSet& candidates, const TestView& view, const ClusterUse& above);

  SlurmState& state_;
  JobRecord& record_;
  const SlurmPartition& partition_;
  SelectionOf selection_;
};

}  // namespace trainyard::slurm
