// A small discrete-event world around the controller: jobs run, end, are killed and cleaned up.
//
// Pure: no engine, no network. Delays are those of a slurmd: see WorldDelays.
#pragma once

#include "schedulers/slurm/controller/slurmctld.hpp"
#include "schedulers/slurm/golden/scenario.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::slurm {

// Seconds.
struct WorldDelays {
  double controller_begins = -3.5;
  double controller_begins_with_accounts = -5.65;  // it first waits for slurmdbd
  Time epoch = 0;                                  // see Cadence
  bool knows_accounts = false;                     // they were added while it ran
  bool stopped_time_counts = true;                 // a suspended job's end does not move: it sleeps
  double job_end = 0.04;                           // from a script's end to the controller
  double node_clean = 0.02;                        // from the kill to a node's "all is over"
  double batch_host_clean = 0.034;                 // of the first node, which also ends the script
  double return_to_service = 0.3;  // a node that was set down, of a site that takes it back
};

// One run of one job.
struct Segment {
  int job = 0;  // record
  int restarts = 0;
  double start = 0, end = -1;
  std::string end_state;  // REQUEUED where the run was lost
  Allocation allocation;
  double priority = 0;
  bool by_backfill = false, by_full_pass = false;
  std::string waited_for;  // in Slurm's words; "" if it started at once
  int preempted_for = -1;  // record
  double warned = -1;      // of its preemption or its limit
};

struct ReplayResult {
  std::vector<Segment> segments;     // in the order of their starts
  std::vector<std::string> refused;  // ids that the controller did not take
  std::vector<std::string> unknown_events;
};

class Replay {
public:
  Replay(const SlurmSite& site, const std::vector<SlurmJob>& jobs,
         const std::vector<GoldenEvent>& events, const WorldDelays& delays = {});

  // Until nothing more happens, or until `latest`.
  ReplayResult run(double latest);

  const SlurmState& state() const { return controller_.state(); }

private:
  enum class What { Submit, Event, JobEnds, NodeClean, NodeReturns, JobDies };
  struct Happening {
    double time = 0;
    std::uint64_t order = 0;
    What what = What::Submit;
    int index = 0, node = 0;
  };
  struct Later {
    bool operator()(const Happening& a, const Happening& b) const {
      return a.time != b.time ? a.time > b.time : a.order > b.order;
    }
  };

  void add(double time, What what, int index, int node = 0);
  void happen(const Happening& happening);
  void submit(const SlurmJob& job);
  void event(const GoldenEvent& event);
  void carry_out(const Decisions& decisions);
  void started(const Decision& decision);
  void warned(const Decision& decision);
  void resumed(const JobRecord& record);
  void close_segment(const JobRecord& record, const std::string& end_state);
  void kill(const Decision& decision);
  void killed(JobRecord& record);
  void clean(JobRecord& record, double after_batch, double after_others);
  void job_ends(JobRecord& record);
  void node_clean(JobRecord& record, int node);

  const std::vector<SlurmJob>& jobs_;
  const std::vector<GoldenEvent>& events_;
  WorldDelays delays_;
  Slurmctld controller_;
  std::vector<Happening> heap_;
  std::uint64_t next_order_ = 0;
  double now_ = 0;
  std::vector<int> open_;        // segment of each record, or -1
  std::vector<double> ends_;     // of each record's run, by itself; -1: none
  std::vector<double> stopped_;  // since when each record is suspended
  ReplayResult result_;
};

}  // namespace trainyard::slurm
