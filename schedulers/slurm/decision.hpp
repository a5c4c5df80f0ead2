// What the controller decided: to be carried out by whoever plays the cluster, in order.
//
// The state already says so when a decision is handed out: a started job holds its nodes, a killed
// one has given them back and waits for them to be cleaned.
#pragma once

namespace trainyard::slurm {

enum class DecisionKind {
  Start,
  Warn,     // SIGCONT and SIGTERM: the job is to be preempted when its grace time is over
  Signal,   // of --signal: the limit is near
  Kill,     // SIGTERM, KillWait, SIGKILL
  Suspend,  // by gang scheduling
  Resume
};

struct Decision {
  DecisionKind kind = DecisionKind::Start;
  int job = 0;
  int for_job = -1;           // of a preemption
  bool by_backfill = false;   // of a start
  bool by_full_pass = false;  // of a start in a periodic pass
};

}  // namespace trainyard::slurm
