#include "schedulers/slurm/passes/try_start.hpp"

#include "schedulers/slurm/passes/job_test.hpp"
#include "schedulers/slurm/passes/reserved_nodes.hpp"
#include "schedulers/slurm/preempt/preemption.hpp"
#include "schedulers/slurm/preempt/release_order.hpp"
#include "schedulers/slurm/queue/limits.hpp"
#include "schedulers/slurm/select/gpu_choice.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

constexpr int kYearMinutes = 365 * 24 * 60;

class Start {
public:
  Start(SlurmState& state, JobRecord& record, const NodeSet& usable, Decisions& decisions)
      : state_(state),
        record_(record),
        partition_(state.partition(record.partition)),
        request_(record.job->request),
        test_(state, record),
        usable_(usable),
        decisions_(decisions) {}

  StartResult run() {
    const std::string limit = limit_before_selection(state_, record_);
    if (!limit.empty()) return refuse(StartResult::Limited, limit);
    if (test_.counts().most < test_.counts().least || !may_use(state_, record_, record_.partition))
      return refuse(StartResult::Impossible, "PartitionNodeLimit");
    return choose();
  }

private:
  StartResult refuse(StartResult result, const std::string& reason) {
    if (record_.reason != reason) state_.changed();
    record_.reason = reason;
    return result;
  }

  StartResult choose() {
    const Time duration = 60 * static_cast<Time>(minutes_of(state_, record_));
    const ReservedNodes reserved = reserved_nodes(state_, record_, state_.now, duration);
    NodeSet in_partition = partition_.nodes;
    in_partition &= reserved.allowed;
    if (reserved.blocked) in_partition.clear();
    NodeSet candidates = in_partition;
    candidates &= usable_;
    if (request_.has_required() && !usable_.contains(request_.required))
      return reserved.blocked ? refuse(StartResult::Reserved, "Reservation")
                              : refuse(StartResult::NotAvailable, "ReqNodeNotAvail");
    candidates -= state_.completing;
    if (!record_.features) {
      if (const auto found = fits(candidates)) return take(found->nodes, found->victims);
    } else {
      for (const NodeSet& choice : record_.features->choices) {
        NodeSet chosen = candidates;
        chosen &= choice;
        if (const auto found = fits(chosen)) return take(found->nodes, found->victims);
      }
    }
    return could_ever(in_partition, reserved.overlap || reserved.blocked);
  }

  // Beside what runs, or once jobs are preempted.
  std::optional<WithPreemption> fits(const NodeSet& candidates) {
    NodeSet shared = candidates;
    shared &= state_.shareable;
    const NodeSet open = shared;
    shared &= state_.with_free_gpus(request_.gpus_per_node);
    if (Nodes nodes = test_.fits(shared, {state_.use, state_.running}))
      return WithPreemption{std::move(*nodes), {}};
    const std::vector<int> order = preemption_candidates(state_, record_);
    if (order.empty()) return {};
    NodeSet of_victims(state_.site.node_count());
    for (const int index : order) of_victims |= state_.job(index).allocation.nodes;
    of_victims &= candidates;
    of_victims |= open;
    return fits_with_preemption(state_, test_, of_victims, order);
  }

  // Not now: because of others, or never with the nodes that are left to it?
  StartResult could_ever(const NodeSet& nodes, bool reserved) {
    const bool lasts = !reserved && record_.job->partitions.size() == 1;
    if (lasts && record_.known_to_fit == state_.node_changes())
      return refuse(StartResult::Busy, "Resources");
    if (fits_idle(test_.selection(), nodes)) {
      NodeSet up = nodes;
      up &= state_.available;
      if (!fits_idle(test_.selection(), up))
        return refuse(StartResult::NotAvailable, "ReqNodeNotAvail");
      if (lasts) record_.known_to_fit = state_.node_changes();
      return refuse(StartResult::Busy, "Resources");
    }
    if (reserved) return refuse(StartResult::Reserved, "Reservation");
    if (fits_idle(test_.selection(), partition_.nodes))
      return refuse(StartResult::NotAvailable, "ReqNodeNotAvail");
    return refuse(StartResult::Impossible, "BadConstraints");
  }

  StartResult take(const NodeSet& nodes, const std::vector<int>& victims) {
    const std::string limit =
        limit_after_selection(state_, record_, tres_of(request_, nodes.count()));
    if (!limit.empty()) return refuse(StartResult::Limited, limit);
    if (!victims.empty()) return preempt_first(victims);
    auto allocation = allocate(state_.site, request_, nodes, state_.use);
    if (!allocation) return refuse(StartResult::Busy, "Resources");
    record_.allocation = std::move(*allocation);
    start_job(state_, record_);
    return StartResult::Started;
  }

  // The job starts in a later pass. While a preemption may still be under way there is no other.
  StartResult preempt_first(const std::vector<int>& victims) {
    const SlurmParameters& parameters = state_.site.parameters;
    const Time patience = parameters.kill_wait + parameters.message_timeout;
    const bool under_way =
        record_.preempt_start != 0 && record_.preempt_start > state_.now - patience;
    if (!under_way) {
      for (const int victim : victims)
        preempt(state_, state_.job(victim), record_.index, decisions_);
      record_.preempt_start = std::max<Time>(state_.now, 1);
      record_.preempt_in_progress = true;
    }
    return refuse(StartResult::Busy, "Resources");
  }

  SlurmState& state_;
  JobRecord& record_;
  const SlurmPartition& partition_;
  const Request& request_;
  JobTest test_;
  const NodeSet& usable_;
  Decisions& decisions_;
};

}  // namespace

int minutes_of(const SlurmState& state, const JobRecord& record) {
  const int most = state.partition(record.partition).max_time;
  const int limit = record.time_limit == kNoLimit ? most : std::min(record.time_limit, most);
  return limit == kNoLimit ? kYearMinutes : limit;
}

StartResult try_start(SlurmState& state, JobRecord& record, const NodeSet& usable,
                      Decisions& decisions) {
  return Start(state, record, usable, decisions).run();
}

}  // namespace trainyard::slurm
