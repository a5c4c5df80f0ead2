// The one chronological record of a run: plain rows that the simulation appends and the writers
// read.
//
// Nothing is computed here. Everything in summary.json and the CSV files follows from these rows,
// so a number can always be traced to the events behind it.
#pragma once

#include "base/ids.hpp"
#include "base/quantity.hpp"
#include "report/link_history.hpp"
#include "workload/job.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

// One attempt of a job, from its start to its end or to the end of the run. A job cancelled before
// it started has one attempt that is Cancelled, holds no GPU and lasts no time.
struct AttemptRecord {
  JobId job;
  int attempt = 0;  // 0 is the first
  Seconds start, end;
  JobState end_state = JobState::Running;  // Completed, Timeout, NodeFail, Failed, Preempted;
                                           // Running: cut off by the end
  std::string cause;                       // "node3 failed", "preempted for job-7", ""
  JobId preempted_for;                     // of one that was preempted: whose place it made
  Allocation allocation;
  int nodes = 0, leaves = 0;     // how many it touched
  std::int64_t first_step = 0;   // resumed from
  std::int64_t steps_done = 0;   // at its end, of the whole job
  std::int64_t steps_saved = 0;  // what the next attempt resumes from
  // How the attempt's wall time was spent (they sum to end - start).
  Seconds restart, checkpoint, work, suspended,
      lost;  // lost: work after the last save of an attempt that did not complete
  // Of `work`: what removing a cause would have saved. Each was measured against its own what-if,
  // so they may overlap; the ledger carves them out in this order and never more than `work`.
  Seconds slow_gpu, slow_link, failed_link, variation, contention;
};

// One training step, or a run of steps: `steps` > 1 when they were merged or jumped over.
struct IterationRecord {
  JobId job;
  int attempt = 0;
  std::int64_t first_step = 0, steps = 1;
  Seconds start;     // of the first
  Seconds duration;  // mean per step, without checkpoints
  Seconds isolated;  // the same step on this placement without neighbours (slow parts included)
  Seconds fabric;    // of that, beyond ports at their nominal rate: collisions, oversubscription
  Seconds slow_gpu;  // saved if the job's slow GPUs were nominal
  Seconds slow_link;
  Seconds failed_link;  // saved if no link were down: the detour, and waiting for retransmissions
  Seconds variation;    // jitter, pauses, spells of slowness: saved if ranks computed evenly
  Seconds contention;   // duration - isolated, but for that waiting and this step's own variation
  std::string slow_gpu_name, slow_link_name, failed_link_name;
  std::string rivals;      // "job-7 0.93; job-9 0.07": shares of the contention
  std::string rival_link;  // where most of it happened
  bool jumped = false;     // not simulated: a mean was applied
};

// The ideal of the step: nominal parts, and a fabric that is never in the way. Beyond it are, in
// `duration`: fabric, slow_gpu, slow_link, failed_link, variation and contention.
inline Seconds analytic_step(const IterationRecord& step) {
  return step.duration - step.contention - step.variation - step.failed_link - step.slow_link -
         step.slow_gpu - step.fabric;
}

// What the ideal step of an attempt is made of, where its plan says what ranks do: nominal parts, a
// fabric that is never in the way. What takes it longer is in the attempt's iterations.
struct StepRecord {
  JobId job;
  int attempt = 0;
  // Seconds a step, mean over ranks, by what they go into ("compute", "tensor", .. "wait"); the sum
  // is the ideal step.
  std::vector<std::pair<std::string, double>> ideal;
};

struct LinkRecord {
  LinkId link;
  double bytes = 0;   // integral of its rate
  Seconds saturated;  // time at its capacity
};

// So many links, `link` first, have `factor` of their bandwidth from then on: 0 down, 1 up.
struct LinkChangeRecord {
  Seconds at;
  LinkId link;
  std::size_t links = 1;
  double factor = 1;
};

// A span for the timeline: what a job was doing.
struct SpanRecord {
  JobId job;
  int attempt = 0;
  std::string name;  // "step 12", "steps 100-4000 (jumped)", "checkpoint", "restart"
  Seconds start, end;
};

// An attempt stood still, on the GPUs of its allocation.
struct SuspensionRecord {
  JobId job;
  int attempt = 0;
  Seconds start, end;
};

struct OutageRecord {
  NodeId node;
  Seconds down, up;  // up may lie beyond the end of the run
};

// What the scheduler decided or heard about a job, and why.
struct DecisionRecord {
  Seconds at;
  JobId job;
  std::string
      what;  // submitted, waits, starts, warned, signalled, stopped, suspended, resumed, ended, ...
  std::string reason;       // in Slurm's words; of an end: the state
  std::string by;           // of a start: which pass; of a stop: for whom
  double priority = 0;      // of Slurm's; 0: not said
  std::string factors;      // of the priority: "age=12 fairshare=340"
  std::string ahead;        // "3: a b c": how many stood before it, and the first of them
  Allocation allocation{};  // of a start
};

struct CompressionRecord {
  std::int64_t steps_simulated = 0, steps_jumped = 0;
  std::int64_t jumps = 0;
  std::int64_t capped_jumps = 0;  // jumped at the cap without having settled: flagged
  Seconds jumped_time;            // summed over components
};

struct EventLog {
  std::vector<Job> jobs;                // every job that was submitted, by JobId
  std::vector<AttemptRecord> attempts;  // in the order of their ends
  std::vector<IterationRecord> iterations;
  std::vector<StepRecord> steps;  // in the order of their attempts' starts
  std::vector<LinkRecord> links;  // by LinkId
  LinkHistory link_history;       // if it was asked for
  std::vector<SpanRecord> spans;
  std::vector<LinkChangeRecord> link_changes;
  std::vector<OutageRecord> outages;
  std::vector<DecisionRecord> history;        // of scheduling, in the order of time
  std::vector<SuspensionRecord> suspensions;  // in the order of their ends
  CompressionRecord compression;
  Seconds end;  // simulated time at the end of the run
  std::int64_t events =
      0;  // completions in the models: the rate of a run is events per wall second
  std::int64_t decisions = 0;
  std::vector<std::string> algorithms;  // of collectives: which, and who chose them
  std::vector<std::string> warnings;
};

}  // namespace trainyard
