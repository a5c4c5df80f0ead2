// The scheduler's actor (slurmctld's part): receives news, lets the policy decide, carries the
// decisions out.
//
// It decides a fixed latency after the first message of a batch, which makes simultaneous events
// one decision. Everything that decides is pure and elsewhere; here is only what has consequences
// in simulated time.
//
// INVARIANT: a job is pending, running or final, never two of them; every attempt that starts is
// recorded once.
#pragma once

#include "actors/attempt_factory.hpp"
#include "schedulers/cluster.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard {

struct ControllerOptions {
  Seconds latency = milliseconds(1);
  Seconds grace = minutes(5);  // how long a preempted job may take to write its checkpoint
};

// What the controller works with; all of it outlives the simulation.
struct ControllerParts {
  const SchedulingPolicy& policy;
  const Placement& placement;
  AttemptFactory& factory;
  Simulation& simulation;
  TimeCompression& compression;
  IterationRecorder& recorder;
  SchedulerInbox& inbox;
  EventLog& log;
  Wiring* wiring = nullptr;  // none: no link can fail
};

class Controller {
public:
  using Watch = std::function<void(Seconds now, std::int64_t jobs_done)>;

  Controller(const Platform& platform, ControllerParts parts, ControllerOptions options,
             bool checkpoint_on_preemption, Watch watch);

  void operator()();  // the actor: ends when every job has

  // What is running and waiting, for the message of a stuck simulation.
  std::string describe() const;

private:
  struct Active {
    std::unique_ptr<JobStep> step;
    Seconds started;
    Seconds since;                   // it was started, suspended or resumed last
    Seconds limit;                   // when it is killed, if it runs until then
    Seconds grace_ends = forever();  // of a job that is releasing
    std::string cause;               // why it is
    bool releasing = false, suspended = false;
    Seconds deadline() const;
  };

  bool over() const;
  Seconds next_deadline() const;
  bool someone_waits() const;
  void handle(const SchedulerMessage& message);
  void on(const JobSubmitted& message);
  void on(const SubmissionsEnded& message);
  void on(const AttemptEnded& message);
  void on(const CommunicatorAborted& message);
  void on(const CableRepaired& message);
  void on(const NodeFailed& message);
  void on(const NodeRepaired& message);
  void drain(LinkId only_cable);
  void note_outages();
  void bring_back(NodeId node);
  void enforce_limits();
  void reconsider();
  void carry_out(const Start& start);
  void carry_out(const Preempt& preempt);
  void carry_out(const Suspend& suspend);
  void carry_out(const Resume& resume);
  void note_suspension(JobId job, const Active& active);
  std::vector<JobId> jobs_on(NodeId node) const;
  void end_attempt(JobId job, JobState state, const std::string& cause);
  void enqueue(JobId job);
  void requeue(JobId job);
  void refresh_view();
  void check_progress_is_possible(bool decided);
  void close_books();
  const Job& job(JobId id) const { return parts_.log.jobs[id.index()]; }

  const Platform& platform_;
  ControllerParts parts_;
  const ControllerOptions options_;
  const bool checkpoint_on_preemption_;
  Watch watch_;
  Cluster cluster_;
  ClusterView view_;
  std::vector<JobProgress> progress_;  // by JobId
  std::map<JobId, Active> active_;
  std::vector<std::unique_ptr<JobStep>> graveyard_;  // killed: their actors may still be unwinding
  std::map<NodeId, Seconds> down_since_;  // of nodes that are failed, or drained and empty
  std::set<NodeId> failed_;
  std::map<NodeId, LinkId> drained_;  // and the cable without which nothing is started there
  Seconds wake_ = forever();          // when the policy wants to be asked again
  bool gave_up_ = false;              // the simulation has failed
  std::map<JobId, int> fruitless_;    // attempts in a row that saved nothing
  bool submissions_ended_ = false;
  bool freed_at_once_ = false;  // a victim had nothing to write: its GPUs are back already
  std::int64_t done_ = 0;
};

}  // namespace trainyard
