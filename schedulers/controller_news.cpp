// What the scheduler does about news: jobs that come and end, nodes that fail and come back, limits
// that pass. Whatever ends an attempt goes through end_attempt().
#include "schedulers/controller.hpp"

#include <algorithm>

namespace trainyard {

namespace {

constexpr int kMostFruitless = 10000;  // attempts in a row

}  // namespace

void Controller::handle(const SchedulerMessage& message) {
  std::visit([this](const auto& m) { on(m); }, message);
}

void Controller::on(const JobSubmitted& message) { enqueue(message.job); }

void Controller::on(const SubmissionsEnded& /*message*/) { submissions_ended_ = true; }

void Controller::on(const AttemptEnded& message) {
  const auto active = active_.find(message.job);
  if (active == active_.end() || active->second.step->attempt() != message.attempt)
    return;  // killed since
  const std::string cause = active->second.cause;
  end_attempt(message.job, message.state, message.state == JobState::Completed ? "" : cause);
}

void Controller::on(const CommunicatorAborted& message) {
  if (active_.count(message.job) == 0) return;  // ended since
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
    drained_[gpu.node] = cable;
    cluster_.node_down(gpu.node);
  }
}

// A drained node is out of order from when the last job has left it.
void Controller::note_outages() {
  for (const auto& [node, cable] : drained_)
    if (jobs_on(node).empty()) down_since_.emplace(node, parts_.simulation.now());
}

// Suspended ones keep what they have in its memory.
std::vector<JobId> Controller::jobs_on(NodeId node) const {
  std::vector<JobId> jobs = cluster_.jobs_on(node);
  for (const auto& [id, active] : active_) {
    if (!active.suspended) continue;
    const std::vector<GpuId>& gpus = active.step->allocation().gpus;
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
    parts_.log.outages.push_back({node, down->second, parts_.simulation.now()});
    down_since_.erase(down);
  }
  cluster_.node_up(node);
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
  down_since_.emplace(message.node, parts_.simulation.now());
  const std::string cause = platform_.nodes[message.node.index()].name + " failed";
  const std::vector<JobId> victims = jobs_on(message.node);
  cluster_.node_down(message.node);
  for (const JobId victim : victims) end_attempt(victim, JobState::NodeFail, cause);
}

void Controller::on(const NodeRepaired& message) {
  if (failed_.erase(message.node) > 0) bring_back(message.node);
}

void Controller::enforce_limits() {
  std::vector<JobId> late;
  for (const auto& [id, active] : active_)
    if (active.deadline() <= parts_.simulation.now()) late.push_back(id);
  for (const JobId id : late) {
    const Active& active = active_.at(id);
    if (active.limit > parts_.simulation.now())
      end_attempt(id, JobState::Preempted, active.cause + "; grace time over");
    else
      end_attempt(id, JobState::Timeout, "time limit");
  }
}

// Kills what still runs, closes the attempt's books, frees the GPUs, and requeues the job unless it
// is final.
void Controller::end_attempt(JobId id, JobState state, const std::string& cause) {
  Active& active = active_.at(id);
  active.step->kill();
  const bool too_late = active.step->completed();  // the news of its end is still on the way
  if (too_late) state = JobState::Completed;
  parts_.log.attempts.push_back(active.step->record(state, too_late ? "" : cause));
  if (active.suspended)
    note_suspension(id, active);
  else
    cluster_.release(id);
  graveyard_.push_back(std::move(active.step));
  active_.erase(id);
  note_outages();
  parts_.factory.ended(id);
  if (state == JobState::Completed || state == JobState::Timeout)
    ++done_;
  else
    requeue(id);
}

// A job that keeps losing all it does would go on for ever, and the run with it.
void Controller::requeue(JobId id) {
  const AttemptRecord& last = parts_.log.attempts.back();
  int& fruitless = fruitless_[id];
  fruitless = last.steps_saved > last.first_step ? 0 : fruitless + 1;
  if (fruitless < kMostFruitless) return enqueue(id);
  gave_up_ = true;
  parts_.simulation.fail(
      "job " + job(id).name + " has lost all the work of " + std::to_string(fruitless) +
      " attempts in a row, the last because: " + last.cause + "; it would never end");
}

}  // namespace trainyard
