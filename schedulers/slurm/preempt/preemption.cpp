#include "schedulers/slurm/preempt/preemption.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

bool qos_preempts(const SlurmState& state, const JobRecord& victor, double victor_priority,
                  const JobRecord& victim, double victim_priority) {
  const SlurmQos* mine = state.qos(victor);
  const SlurmQos* other = state.qos(victim);
  if (!mine || !other) return false;
  if (mine == other) return mine->within && victor_priority > victim_priority;
  return std::find(mine->preempt.begin(), mine->preempt.end(), other->name) != mine->preempt.end();
}

bool can_preempt(const SlurmState& state, const JobRecord& record, const JobRecord& victim) {
  if (state.site.parameters.preempt == PreemptType::Qos)
    return qos_preempts(state, record, record.priority(), victim, victim.priority());
  const SlurmPartition& theirs = state.partition(victim.partition);
  return theirs.tier < state.partition(record.partition).tier &&
         theirs.preempt_mode != PreemptMode::Off;
}

Time exempt_until(const SlurmState& state, const JobRecord& victim) {
  int exempt = state.site.parameters.preempt_exempt;
  if (const SlurmQos* qos = state.qos(victim); qos && qos->preempt_exempt)
    exempt = *qos->preempt_exempt;
  const int of_partition = state.site.accounting.qos_index(state.partition(victim.partition).qos);
  if (of_partition >= 0)
    exempt =
        state.site.accounting.qos[static_cast<std::size_t>(of_partition)].preempt_exempt.value_or(
            exempt);
  return victim.start + exempt;
}

// Class first, then size: Slurm's 32 bits.
std::uint64_t rank_of(const SlurmState& state, const JobRecord& victim) {
  double level = state.partition(victim.partition).tier;
  if (state.site.parameters.preempt == PreemptType::Qos) {
    const SlurmQos* qos = state.qos(victim);
    level = qos ? std::min(qos->priority, 65535.0) : 0;
  }
  const auto nodes = std::min<std::size_t>(victim.allocation.shares.size(), 0xffff);
  return (static_cast<std::uint64_t>(level) << 16) + nodes;
}

int grace_of(const SlurmState& state, const JobRecord& victim) {
  if (state.site.parameters.preempt != PreemptType::Qos)
    return state.partition(victim.partition).grace;
  const SlurmQos* qos = state.qos(victim);
  return qos ? qos->grace : 0;
}

// Whether its grace time is still running; the first call starts it.
bool in_grace(SlurmState& state, JobRecord& victim, int for_job, Decisions& decisions) {
  if (victim.preempt_time > 0) {
    if (state.now < victim.end) return true;
    victim.preempt_time = state.now;
    return false;
  }
  const int grace = grace_of(state, victim);
  victim.preempt_time = std::max<Time>(state.now, 1);
  victim.end = std::min(victim.end, state.now + grace);
  if (grace == 0) return false;
  if (victim.job->signal && state.site.parameters.scheduler.preempt_send_user_signal)
    victim.signalled = true;  // it gets its own signal in place of SIGTERM
  decisions.push_back({DecisionKind::Warn, victim.index, for_job});
  state.changed();
  return true;
}

}  // namespace

bool outranks(const SlurmState& state, const QueueEntry& a, const QueueEntry& b) {
  if (state.site.parameters.preempt == PreemptType::Qos)
    return qos_preempts(state, state.job(a.job), a.priority, state.job(b.job), b.priority);
  if (state.site.parameters.preempt != PreemptType::PartitionPriority) return false;
  const SlurmPartition& mine = state.partition(a.partition);
  const SlurmPartition& other = state.partition(b.partition);
  return mine.tier > other.tier && mine.nodes.intersects(other.nodes);
}

PreemptMode preempt_mode_of(const SlurmState& state, const JobRecord& record) {
  const SlurmParameters& parameters = state.site.parameters;
  if (parameters.preempt == PreemptType::Qos) {
    const SlurmQos* qos = state.qos(record);
    return qos && qos->preempt_mode ? *qos->preempt_mode : parameters.preempt_mode;
  }
  return state.partition(record.partition).preempt_mode.value_or(parameters.preempt_mode);
}

std::vector<int> preemption_candidates(const SlurmState& state, const JobRecord& record) {
  std::vector<int> candidates;
  const SlurmParameters& parameters = state.site.parameters;
  if (parameters.preempt == PreemptType::None || parameters.preempt_mode == PreemptMode::Off)
    return candidates;
  const NodeSet& nodes = state.partition(record.partition).nodes;
  for (const int index : state.running) {
    const JobRecord& victim = state.job(index);
    if (!can_preempt(state, record, victim) || state.now < exempt_until(state, victim)) continue;
    if (victim.allocation.nodes.intersects(nodes)) candidates.push_back(index);
  }
  const bool youngest = parameters.scheduler.preempt_youngest_first;
  std::stable_sort(candidates.begin(), candidates.end(), [&](int a, int b) {
    if (youngest) return state.job(a).start > state.job(b).start;
    return rank_of(state, state.job(a)) < rank_of(state, state.job(b));
  });
  return candidates;
}

void preempt(SlurmState& state, JobRecord& victim, int for_job, Decisions& decisions) {
  if (in_grace(state, victim, for_job, decisions)) return;
  decisions.push_back({DecisionKind::Kill, victim.index, for_job});
  if (preempt_mode_of(state, victim) == PreemptMode::Requeue && can_requeue(victim))
    requeue_job(state, victim);
  else
    finish_job(state, victim, "PREEMPTED");
}

}  // namespace trainyard::slurm
