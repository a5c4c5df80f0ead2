// What the controller does about news: jobs that come and end, nodes that fail and come back,
// limits that pass.
#include "schedulers/controller.hpp"

#include <algorithm>

namespace trainyard {

void Controller::handle(const SchedulerMessage& message) {
  std::visit([this](const auto& m) { on(m); }, message);
}

void Controller::on(const JobSubmitted& message) {
  ++submitted_;
  parts_.scheduler.submitted(job(message.job), now());
}

void Controller::on(const SubmissionsEnded& /*message*/) { submissions_ended_ = true; }

void Controller::on(const AttemptEnded& message) {
  const Run* run = run_of(message.job);
  if (!run || run->step->attempt() != message.attempt) return;  // killed since
  if (message.state == JobState::Completed) return end_attempt(message.job, message.state, "");
  const std::string cause = run->cause;
  end_attempt(message.job, run->stopped_as, cause);
}

void Controller::on(const CommunicatorAborted& message) {
  if (!run_of(message.job)) return;  // ended since
  drain(message.waited_for);
  end_attempt(message.job, JobState::Failed,
              platform_.links[message.waited_for.index()].name +
                  " was down for longer than the transport tries: communicator aborted");
}

// A node with a GPU that only this cable leads to is given to nobody until the cable is back. What
// else runs there goes on.
void Controller::drain(LinkId cable) {
  if (!parts_.wiring || !parts_.wiring->is_down(cable)) return;
  for (const Gpu& gpu : platform_.gpus) {
    if (!gpu.nic.valid() || !gpu.more_nics.empty()) continue;
    const Nic& nic = platform_.nics[gpu.nic.index()];
    if (nic.up != cable && nic.down != cable) continue;
    if (!drained_.insert_or_assign(gpu.node, cable).second) continue;
    cluster_.node_down(gpu.node);
    note_node(gpu.node, "drained");
    parts_.scheduler.closed(gpu.node, Closed::Drained, now());
  }
}

// A drained node is out of order from when the last job has left it.
void Controller::note_outages() {
  for (const auto& [node, cable] : drained_)
    if (jobs_on(node).empty()) down_since_.emplace(node, now());
}

void Controller::note_node(NodeId node, const char* what) {
  DecisionRecord row;
  row.at = now();
  row.what = what;
  row.reason = platform_.nodes[node.index()].name;
  parts_.log.history.push_back(std::move(row));
}

// Suspended ones keep what they have in its memory.
std::vector<JobId> Controller::jobs_on(NodeId node) const {
  std::vector<JobId> jobs = cluster_.jobs_on(node);
  for (const auto& [id, run] : runs_) {
    if (!run.suspended) continue;
    const std::vector<GpuId>& gpus = run.step->allocation().gpus;
    if (std::any_of(gpus.begin(), gpus.end(),
                    [&](GpuId gpu) { return platform_.gpus[gpu.index()].node == node; }))
      jobs.push_back(id);
  }
  std::sort(jobs.begin(), jobs.end());
  return jobs;
}

void Controller::bring_back(NodeId node) {
  if (failed_.count(node) > 0 || drained_.count(node) > 0) return;
  const auto down = down_since_.find(node);
  if (down != down_since_.end()) {
    parts_.log.outages.push_back({node, down->second, now()});
    down_since_.erase(down);
  }
  cluster_.node_up(node);
  note_node(node, "up");
  parts_.scheduler.opened(node, now());
}

void Controller::on(const CableRepaired& /*message*/) {
  std::vector<NodeId> whole;
  for (const auto& [node, cable] : drained_)
    if (!parts_.wiring->is_down(cable)) whole.push_back(node);
  for (const NodeId node : whole) {
    drained_.erase(node);
    bring_back(node);
  }
}

void Controller::on(const NodeFailed& message) {
  if (!failed_.insert(message.node).second) return;
  down_since_.emplace(message.node, now());
  const std::string cause = platform_.nodes[message.node.index()].name + " failed";
  const std::vector<JobId> victims = jobs_on(message.node);
  cluster_.node_down(message.node);
  note_node(message.node, "down");
  parts_.scheduler.closed(message.node, Closed::Failed, now());
  for (const JobId victim : victims) end_attempt(victim, JobState::NodeFail, cause);
}

void Controller::on(const NodeRepaired& message) {
  if (failed_.erase(message.node) > 0) bring_back(message.node);
}

void Controller::enforce_limits() {
  std::vector<JobId> late;
  for (const auto& [id, run] : runs_)
    if (run.deadline() <= now()) late.push_back(id);
  for (const JobId id : late) {
    const Run& run = runs_.at(id);
    const std::string cause = run.cause + "; grace time over";
    if (run.limit > now())
      end_attempt(id, run.stopped_as, cause);
    else
      end_attempt(id, JobState::Timeout, "time limit");
  }
}

}  // namespace trainyard
