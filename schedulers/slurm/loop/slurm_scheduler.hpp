// Slurm's rules in charge of a simulation: Slurmctld told what happens to the simulated jobs.
//
// Between the two stands what a slurmd does: the news of a job's end takes a moment, and nodes
// report that they are clean (see WorldDelays). A job that is told of its preemption and leaves by
// itself, with its checkpoint written, is requeued as `scontrol requeue` in its script would; so is
// one whose communicator aborted, and one that got its --signal. Otherwise Slurm alone decides
// whether a job comes back.
//
// INVARIANT: what the engine's state says is held is held in the simulation, or is being cleaned.
#pragma once

#include "report/event_log.hpp"
#include "schedulers/scheduler.hpp"
#include "schedulers/slurm/controller/slurmctld.hpp"
#include "schedulers/slurm/loop/setup.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::slurm {

class SlurmScheduler final : public Scheduler {
public:
  SlurmScheduler(const SlurmSetup& setup, const Platform& platform, EventLog& log);

  void submitted(const Job& job, Seconds now) override;
  void ended(const Job& job, trainyard::JobState how, Seconds now) override;
  void closed(NodeId node, Closed why, Seconds now) override;
  void opened(NodeId node, Seconds now) override;
  std::vector<Order> decide(Seconds now) override;
  Seconds wake() override;
  Seconds limit(const Job& /*job*/) const override { return forever(); }  // Slurm sees to it
  std::size_t waiting() const override;
  bool gives_up() const override;
  std::string describe() const override;

private:
  enum class What { Command, JobEnds, NodeClean, NodeReturns };
  struct Happening {
    double time = 0;
    std::uint64_t order = 0;
    What what = What::Command;
    int index = 0, node = 0;
  };
  static bool later(const Happening& a, const Happening& b) {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
  }
  // What the simulation knows of a record.
  struct Known {
    JobId job;
    std::vector<int> dirty;  // nodes that its last run has left and that have not reported
    std::string reason;      // why it waits, as last noted
  };

  void know(const Job& job, const std::vector<int>& records);
  void note_submitted(JobId job, const std::string& refusal);
  void add(double time, What what, int index, int node = 0);
  void catch_up(double now, bool with_wakes);
  void happen(const Happening& happening);
  void command(const std::string& action);
  void job_ends(JobRecord& record);
  void leaves(JobRecord& record, trainyard::JobState how);
  void clean(const JobRecord& record, double after_first, double after_others);
  void note_dirty(const JobRecord& record);
  void node_clean(JobRecord& record, int node);

  void give_orders(const Decisions& decisions);
  void start(const Decision& decision);
  void stop(const Decision& decision);
  JobId victor_of(const Decision& decision) const;
  trainyard::Allocation allocation_of(const JobRecord& record) const;
  std::string named(int record) const;

  DecisionRecord& note(int record, const char* what);
  void note_priority(const JobRecord& record, DecisionRecord& row) const;
  void note_waiting();
  int node_index(NodeId node) const;
  Known& known(int record) { return known_[static_cast<std::size_t>(record)]; }
  const Known& known(int record) const { return known_[static_cast<std::size_t>(record)]; }

  const SlurmSetup& setup_;
  const Platform& platform_;
  EventLog& log_;
  Slurmctld controller_;
  double now_ = 0;
  std::vector<Happening> heap_;
  std::uint64_t next_order_ = 0;
  std::vector<Known> known_;    // by record
  std::vector<int> record_of_;  // by JobId; -1: not submitted, or refused
  std::vector<Order> orders_;
  int closed_nodes_ = 0;
  double last_news_ = 0;  // or last decision
};

}  // namespace trainyard::slurm
