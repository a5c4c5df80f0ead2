#include "schedulers/slurm/golden/decisions.hpp"

#include "schedulers/slurm/controller/scontrol.hpp"
#include "schedulers/slurm/golden/gpu_list.hpp"
#include "schedulers/slurm/passes/backfill/backfill.hpp"
#include "schedulers/slurm/passes/main_pass.hpp"
#include "schedulers/slurm/passes/try_start.hpp"
#include "schedulers/slurm/select/gpu_choice.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard::slurm {

namespace {

// An allocation that was given away, node by node: a node may be free before the others.
struct Held {
  std::string id;
  double start = 0, end = 0;
  Allocation allocation;
};

std::string placement(const SlurmSite& site, const NodeSet& nodes,
                      const std::map<int, std::uint64_t>& gpus) {
  return node_text(nodes, site) + (gpus.empty() ? "" : " gpus " + gpu_text(gpus, site));
}

class Deciding {
public:
  explicit Deciding(const GoldenScenario& scenario) : scenario_(scenario) {}

  std::vector<DecisionCheck> run() {
    std::vector<DecisionCheck> checks;
    for (const GoldenDecision& decision : scenario_.decisions) {
      checks.push_back(check(decision));
      record(decision);
    }
    return checks;
  }

private:
  const SlurmSite& site() const { return scenario_.site; }

  const SlurmJob* job_of(const std::string& id) const {
    for (const SlurmJob& job : scenario_.jobs)
      if (job.id == id || (!job.array.empty() && id.rfind(job.id + "_", 0) == 0)) return &job;
    return nullptr;
  }

  NodeSet nodes_of(const std::vector<std::string>& names) const {
    NodeSet nodes(site().node_count());
    for (const std::string& name : names) nodes.add(site().node_index(name));
    return nodes;
  }

  DecisionCheck check(const GoldenDecision& decision) {
    DecisionCheck check{decision.id, decision.mechanism, decision.time, "", ""};
    const auto gpus = parse_gpu_list(decision.gpus, site());
    check.expected = placement(site(), nodes_of(decision.nodes), gpus);
    Cadence cadence;
    cadence.epoch = scenario_.epoch;
    Slurmctld controller(site(), cadence);
    rebuild(controller, decision);
    SlurmState& state = controller.state();
    const std::vector<int> records = state.records_of(decision.id);
    if (records.empty()) return check;
    JobRecord& record = state.job(records.front());
    Decisions decisions;
    if (decision.mechanism == "backfill")
      backfill_cycle(state, decisions);
    else
      main_pass(state, PassDepth::FullQueue, decisions);
    // What else was queued then is not recorded; alone, it must at least fit.
    if (record.pending()) {
      record.partition = record.job->partitions.front();
      try_start(state, record, state.available, decisions);
    }
    if (record.running())
      check.got = placement(site(), record.allocation.nodes, gpus_by_node(record.allocation));
    return check;
  }

  // Down, drained and completing nodes, what is running and what waits, at the decision's time.
  void rebuild(Slurmctld& controller, const GoldenDecision& decision) {
    SlurmState& state = controller.state();
    for (const SlurmJob& job : scenario_.jobs) {
      std::string refusal;
      if (job.submitted > decision.time) continue;
      controller.submit(job, job.submitted, refusal);
    }
    for (const GoldenEvent& event : scenario_.events)
      if (event.time <= decision.time && event.action.find("reservation") != std::string::npos)
        run_scontrol(controller, event.action, event.time);
    controller.set_time(decision.time);
    for (const std::string& name : decision.unavailable)
      state.set_drained(site().node_index(name), true);
    state.completing = nodes_of(decision.completing);
    free_nodes(decision);
    for (int index = 0; index < state.job_count(); ++index) settle(state, decision, index);
  }

  // Ended runs give their nodes back, the first to end first, until the counts are the file's.
  void free_nodes(const GoldenDecision& decision) {
    for (int node = 0; node < site().node_count(); ++node) {
      const auto n = static_cast<std::size_t>(node);
      const auto used = [&] {
        int gpus = 0, cpus = 0;
        for (const Held& held : held_)
          for (const NodeShare& share : held.allocation.shares)
            if (share.node == node) gpus += gpu_count(share.gpus), cpus += share.cpus;
        return site().nodes[n].gpus() - gpus < decision.free_gpus[n] ||
               site().nodes[n].cpus() - cpus < decision.free_cpus[n];
      };
      while (used()) {
        Held* first = nullptr;
        for (Held& held : held_)
          if (held.allocation.nodes.has(node) && (!first || held.end < first->end)) first = &held;
        if (!first) break;
        auto& shares = first->allocation.shares;
        shares.erase(std::find_if(shares.begin(), shares.end(),
                                  [&](const NodeShare& share) { return share.node == node; }));
        first->allocation.nodes.remove(node);
      }
    }
    held_.erase(std::remove_if(held_.begin(), held_.end(),
                               [](const Held& held) { return held.allocation.shares.empty(); }),
                held_.end());
  }

  // Puts one record where it was: running, over, held, or waiting with the priority it had.
  void settle(SlurmState& state, const GoldenDecision& decision, int index) const {
    JobRecord& record = state.job(index);
    const GoldenSegment *next = nullptr, *last = nullptr;
    for (const GoldenSegment& segment : scenario_.segments) {
      if (segment.id != record.id) continue;
      const bool to_come = segment.start < 0 || segment.start + 1 >= decision.time;
      if (to_come && !next) next = &segment;
      if (!to_come) last = &segment;
    }
    if (next && site().parameters.priority.multifactor)
      std::fill(record.priorities.begin(), record.priorities.end(), next->priority);
    record.switch_wait_start = record.submitted;  // its first test, but for a second
    const auto held = std::find_if(held_.begin(), held_.end(),
                                   [&](const Held& each) { return each.id == record.id; });
    if (record.id == decision.id) {
      record.held = false, record.begin = 0;
    } else if (held != held_.end()) {
      record.allocation = held->allocation;
      start_job(state, record);
      record.start = static_cast<Time>(held->start) + scenario_.epoch;
      record.end = record.start + 60 * static_cast<Time>(record.time_limit);
    } else if (last && last->end_state == "REQUEUED") {
      record.begin =
          static_cast<Time>(last->end) + scenario_.epoch + site().parameters.cred_expire + 1;
      ++record.restarts;
    } else if (!next || next->start < 0) {
      record.start = state.now;
      drop_pending(state, record, last ? last->end_state : "CANCELLED");
    }
  }

  void record(const GoldenDecision& decision) {
    const SlurmJob* job = job_of(decision.id);
    if (!job) return;
    Held held;
    held.id = decision.id;
    held.start = decision.time, held.end = 1e9;
    for (const GoldenSegment& segment : scenario_.segments)
      if (segment.id == decision.id && std::abs(segment.start - decision.time) < 1.5)
        held.end = segment.end;
    held.allocation.nodes = nodes_of(decision.nodes);
    const auto gpus = parse_gpu_list(decision.gpus, site());
    const ClusterUse nothing(site().node_count());
    const auto whole = allocate(site(), job->request, held.allocation.nodes, nothing);
    held.allocation = *whole;
    for (NodeShare& share : held.allocation.shares) {
      const auto found = gpus.find(share.node);
      share.gpus = found == gpus.end() ? 0 : found->second;
    }
    held_.push_back(std::move(held));
  }

  const GoldenScenario& scenario_;
  std::vector<Held> held_;
};

}  // namespace

std::vector<DecisionCheck> check_decisions(const GoldenScenario& scenario) {
  return Deciding(scenario).run();
}

}  // namespace trainyard::slurm
