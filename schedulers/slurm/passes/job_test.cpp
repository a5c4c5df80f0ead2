#include "schedulers/slurm/passes/job_test.hpp"

namespace trainyard::slurm {

namespace {

// The use of the cluster with only the cores of jobs for which `keep` holds; GPUs and memory stay.
template <class Keep>
ClusterUse only_cores_of(const SlurmState& state, const TestView& view, Keep keep) {
  ClusterUse use = view.use;
  for (const int index : view.running)
    if (!keep(state.job(index))) use.remove_cores(state.job(index).allocation);
  return use;
}

}  // namespace

// Waits for fewer leaves, but no longer than the job or the site will have it. The wait begins with
// the first test, not with the submission.
bool JobTest::too_many_leaves(const NodeSet& nodes) const {
  const SlurmJob& job = *record_.job;
  if (job.request.switches == 0 || state_.site.switches.empty()) return false;
  const int most = state_.site.parameters.scheduler.max_switch_wait;
  const int patience = std::min(job.switch_wait.value_or(most), most);
  if (state_.now - record_.switch_wait_start >= patience) return false;
  return leaves_of(state_.site, nodes) > job.request.switches;
}

Nodes JobTest::choose(const NodeSet& candidates, const ClusterUse& use) {
  Nodes nodes = choose_nodes(selection_, candidates, use);
  if (nodes && too_many_leaves(*nodes)) return {};
  return nodes;
}

// The blocks of jobs that have theirs to themselves; for such a job, the blocks of all jobs.
NodeSet JobTest::without_taken_topology(const NodeSet& candidates, const TestView& view) const {
  NodeSet taken(candidates.size());
  for (const int index : view.running) {
    const JobRecord& other = state_.job(index);
    if (state_.has_its_topology(record_) || state_.has_its_topology(other))
      taken |= other.allocation.nodes;
  }
  state_.site.widen_to_topology(taken);
  NodeSet nodes = candidates;
  nodes -= taken;
  return nodes;
}

Nodes JobTest::fits(const NodeSet& all, const TestView& view) {
  const bool narrow = state_.running_with_their_topology() > 0 || state_.has_its_topology(record_);
  const NodeSet candidates = narrow ? without_taken_topology(all, view) : all;
  if (record_.job->request.switches > 0 && record_.switch_wait_start == 0)
    record_.switch_wait_start = std::max<Time>(state_.now, 1);
  record_.row = 0;
  if (Nodes nodes = choose(candidates, view.use)) return nodes;
  const bool shares = partition_.share_forced || partition_.share > 1;
  if (!state_.site.parameters.gang && !shares) return {};
  return share_cores(candidates, view);
}

// Cores that jobs of lower tiers hold may be shared: gang scheduling will suspend those jobs.
Nodes JobTest::share_cores(const NodeSet& candidates, const TestView& view) {
  const bool by_partition = state_.site.parameters.preempt == PreemptType::PartitionPriority;
  const auto above = [&](const JobRecord& other) {
    const SlurmPartition& theirs = state_.partition(other.partition);
    return by_partition &&
           (theirs.tier > partition_.tier || theirs.preempt_mode == PreemptMode::Off);
  };
  const ClusterUse higher = only_cores_of(state_, view, above);
  if (!choose(candidates, higher)) return {};
  const auto as_high = [&](const JobRecord& other) {
    return above(other) || state_.partition(other.partition).tier == partition_.tier;
  };
  Nodes best = choose(candidates, only_cores_of(state_, view, as_high));
  if (!best) return in_a_row(candidates, view, higher);
  // As far as possible, not where lower partitions run either.
  std::vector<char> avoided(state_.site.partitions.size());
  for (std::size_t p = 0; p < avoided.size(); ++p) {
    if (state_.site.partitions[p].tier >= partition_.tier) continue;
    avoided[p] = 1;
    const auto keep = [&](const JobRecord& other) {
      return as_high(other) || avoided[static_cast<std::size_t>(other.partition)];
    };
    Nodes fewer = choose(candidates, only_cores_of(state_, view, keep));
    if (!fewer) break;
    best = std::move(fewer);
  }
  return best;
}

// Beside the jobs of its own partition, in the first row that has room.
Nodes JobTest::in_a_row(const NodeSet& candidates, const TestView& view, const ClusterUse& above) {
  const bool by_qos = state_.site.parameters.preempt == PreemptType::Qos;
  const int rows = partition_.share + (by_qos && view.extra_row ? 1 : 0);
  for (int row = 0; row < rows; ++row) {
    ClusterUse use = above;
    for (const int index : view.running) {
      const JobRecord& other = state_.job(index);
      if (other.partition == record_.partition && other.row == row) use.add_cores(other.allocation);
    }
    Nodes nodes = choose(candidates, use);
    if (!nodes) continue;
    record_.row = row;
    return nodes;
  }
  return {};
}

}  // namespace trainyard::slurm
