// The controller's loops over the state: when which pass runs. It has no clock of its own: whoever
// plays the cluster tells it the time, what happened, and when it asked to be woken.
//
// Two loops as in slurmctld: the main one, a tick a second, and backfill's own. A pass takes no
// time. Decisions are handed out in order; see decision.hpp.
#pragma once

#include "schedulers/slurm/controller/gang.hpp"
#include "schedulers/slurm/life/life.hpp"
#include "schedulers/slurm/state.hpp"

#include <string>

namespace trainyard::slurm {

// Times in seconds.
struct Cadence {
  double begins = 0;           // when the controller started: its ticks count from here
  double main_behind = 0.028;  // a tick of the main loop, after backfill's in the same second
  bool knows_accounts = true;  // else accounts count from the first periodic computation
  Time epoch = 0;  // Slurm's clock at time 0: it rounds plans to full minutes of its own clock
};

class Slurmctld {
public:
  Slurmctld(const SlurmSite& site, const Cadence& cadence);

  SlurmState& state() { return state_; }
  const SlurmState& state() const { return state_; }

  // The job's records; none if it is refused, and then `refusal` says why.
  std::vector<int> submit(const SlurmJob& job, double now, std::string& refusal);

  // A pass is wanted soon: something was submitted or updated.
  void queue_pass() { pass_queued_ = true; }

  // A pass at once, to the default depth: an epilog came in.
  Decisions pass_now(double now);

  // A run ended by itself. The scheduler hears of its nodes when they are clean.
  Decisions job_finished(JobRecord& record, const std::string& end_state, double now);

  // Lets gang scheduling see what was decided elsewhere (a command, a failing node).
  void settle(Decisions& decisions);

  // When wake() has something to do next, and doing it. Ticks at which nothing would be done are
  // passed over.
  double next_wake() const;
  Decisions wake(double now);

  void set_time(double now);
  Time epoch() const { return epoch_; }

private:
  void main_tick(Decisions& decisions);
  void backfill_tick(Decisions& decisions);
  void check_limits(Decisions& decisions);
  bool signal_due(const JobRecord& record) const;
  bool recomputes() const;
  double next_main() const;
  double next_backfill() const;

  SlurmState state_;
  Time epoch_;
  double time_ = 0;  // the last that was told
  Gang gang_;
  double next_main_, next_backfill_, next_priorities_, next_slice_;
  Time last_full_ = 0, last_pass_ = 0, last_limits_ = 0, last_backfill_ = 0;
  bool pass_queued_ = false;
  long last_number_ = 0;
};

}  // namespace trainyard::slurm
