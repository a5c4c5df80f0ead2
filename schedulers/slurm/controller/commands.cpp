#include "schedulers/slurm/controller/commands.hpp"

#include "schedulers/slurm/queue/priority.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

void hold(JobRecord& record) {
  record.held = true;
  std::fill(record.priorities.begin(), record.priorities.end(), 0.0);
}

}  // namespace

bool release_job(Slurmctld& controller, const std::string& id) {
  SlurmState& state = controller.state();
  const std::vector<int> records = state.records_of(id);
  for (const int index : records) {
    JobRecord& record = state.job(index);
    if (!record.held) continue;
    record.held = false;
    set_first_priority(state, record);
  }
  controller.queue_pass();
  state.changed();
  return !records.empty();
}

bool hold_job(Slurmctld& controller, const std::string& id) {
  SlurmState& state = controller.state();
  const std::vector<int> records = state.records_of(id);
  for (const int index : records)
    if (state.job(index).pending()) hold(state.job(index));
  state.changed();
  return !records.empty();
}

bool requeue_by_hand(Slurmctld& controller, const std::string& id, bool held,
                     Decisions& decisions) {
  SlurmState& state = controller.state();
  const std::vector<int> records = state.records_of(id);
  for (const int index : records) {
    JobRecord& record = state.job(index);
    if (record.running() && can_requeue(record)) {
      decisions.push_back({DecisionKind::Kill, index});
      requeue_job(state, record);
    }
    if (held && record.pending()) hold(record);
  }
  controller.settle(decisions);
  controller.queue_pass();
  return !records.empty();
}

bool cancel_job(Slurmctld& controller, const std::string& id, Decisions& decisions) {
  SlurmState& state = controller.state();
  const std::vector<int> records = state.records_of(id);
  for (const int index : records) {
    JobRecord& record = state.job(index);
    if (record.pending()) {
      drop_pending(state, record, "CANCELLED");
    } else if (record.running()) {
      decisions.push_back({DecisionKind::Kill, index});
      finish_job(state, record, "CANCELLED");
    }
  }
  controller.settle(decisions);
  controller.queue_pass();
  return !records.empty();
}

void node_fails(Slurmctld& controller, int node, Decisions& decisions) {
  SlurmState& state = controller.state();
  state.set_down(node);
  const std::vector<int> running = state.running;
  for (const int index : running) {
    JobRecord& record = state.job(index);
    if (!record.allocation.nodes.has(node)) continue;
    if (record.job->no_kill && record.allocation.shares.size() > 1) {
      state.shrink(record, node);
      continue;
    }
    decisions.push_back({DecisionKind::Kill, index});
    if (can_requeue(record))
      requeue_job(state, record);
    else
      finish_job(state, record, "NODE_FAIL");
  }
  controller.settle(decisions);
  controller.queue_pass();
}

}  // namespace trainyard::slurm
