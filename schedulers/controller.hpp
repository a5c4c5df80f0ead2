// The scheduler's actor (slurmctld's part): receives news, lets the scheduler decide, carries its
// orders out.
//
// It decides a fixed latency after the first message of a batch, which makes simultaneous events
// one decision. Everything that decides is pure and elsewhere (see Scheduler); here is only what
// has consequences in simulated time.
//
// INVARIANT: a job is waiting, running or final, never two of them; every attempt that starts is
// recorded once.
#pragma once

#include "actors/attempt_factory.hpp"
#include "schedulers/occupancy.hpp"
#include "schedulers/scheduler.hpp"

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
  Scheduler& scheduler;
  Occupancy& occupancy;
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

  // `checkpoint_on_signal`: a job that is told to stop writes a checkpoint first.
  Controller(const Platform& platform, ControllerParts parts, ControllerOptions options,
             bool checkpoint_on_signal, Watch watch);

  void operator()();  // the actor: ends when every job has

  // What is running and waiting, for the message of a stuck simulation.
  std::string describe() const;

private:
  bool over() const;
  Seconds next_deadline() const;
  Seconds now() const { return parts_.simulation.now(); }
  const Job& job(JobId id) const { return parts_.log.jobs[id.index()]; }
  Run* run_of(JobId id);  // null: it does not run any more

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
  void note_node(NodeId node, const char* what);
  void bring_back(NodeId node);
  void enforce_limits();
  std::vector<JobId> jobs_on(NodeId node) const;

  std::vector<Order> ask();
  void reconsider();
  void carry_out(const Start& start);
  void carry_out(const Stop& stop);
  void carry_out(const Warn& warn);
  void carry_out(const Cancel& cancel);
  void carry_out(const Suspend& suspend);
  void carry_out(const Resume& resume);
  void carry_out(const Resize& resize);
  bool ask_to_leave(Run& run, const std::string& cause) const;
  void note_suspension(JobId job, const Run& run);
  void end_attempt(JobId job, JobState state, const std::string& cause);
  void note_fruitless(const AttemptRecord& last);
  void check_progress_is_possible();
  void give_up(const std::string& problem);
  void close_books();

  const Platform& platform_;
  ControllerParts parts_;
  const ControllerOptions options_;
  const bool checkpoint_on_signal_;
  Watch watch_;
  Cluster& cluster_;
  std::map<JobId, Run>& runs_;
  std::vector<JobProgress> progress_;                // by JobId
  std::vector<std::unique_ptr<JobStep>> graveyard_;  // killed: their actors may still be unwinding
  std::map<NodeId, Seconds> down_since_;  // of nodes that are failed, or drained and empty
  std::set<NodeId> failed_;
  std::map<NodeId, LinkId> drained_;     // and the cable without which nothing is started there
  std::map<JobId, int> fruitless_;       // attempts in a row that saved nothing
  std::map<JobId, Seconds> limit_left_;  // of jobs that are between two sizes
  Seconds wake_ = forever();             // when the scheduler wants to be asked again
  bool gave_up_ = false;                 // the simulation has failed
  bool submissions_ended_ = false;
  bool freed_at_once_ = false;  // a victim had nothing to write: its GPUs are back already
  std::int64_t submitted_ = 0;
};

}  // namespace trainyard
