// Who decides, as the controller sees it: told what happens, asked what to do.
//
// Two kinds: policies (PolicyScheduler), which are pure functions of a view, and Slurm's own rules
// (slurm::SlurmScheduler), which have a state and a clock. The controller knows neither of them: it
// tells the news in order, asks at every batch of news and at wake(), and carries the orders out.
//
// INVARIANT: a job is waiting here, or runs, or is over. An order is valid given those before it;
// one about a job that does not run any more is passed over.
#pragma once

#include "schedulers/policy.hpp"

#include <string>
#include <variant>
#include <vector>

namespace trainyard {

// The attempt is to end. A job that can write a checkpoint may take `patience` to do so.
struct Stop {
  JobId job;
  JobState as = JobState::Preempted;
  std::string cause;
  Seconds patience = Seconds(0);
  JobId for_job{};  // of a preemption: whose place it makes
};
// The job is told that it will be stopped. One that can writes a checkpoint and leaves.
struct Warn {
  JobId job;
  std::string cause;
  JobId for_job{};
};
// A job that waits will never start.
struct Cancel {
  JobId job;
  std::string cause;
};
using Order = std::variant<Start, Stop, Warn, Cancel, Suspend, Resume, Resize>;

// Why a node takes no job.
enum class Closed { Failed, Drained };

class Scheduler {
public:
  virtual ~Scheduler() = default;

  // ---- News, each at its time ----
  virtual void submitted(const Job& job, Seconds now) = 0;
  // The attempt has left its GPUs: by itself, to be resized, because it was told to, or because
  // something failed.
  virtual void ended(const Job& job, JobState how, Seconds now) = 0;
  // Attempts on a node that failed end just after.
  virtual void closed(NodeId /*node*/, Closed /*why*/, Seconds /*now*/) {}
  virtual void opened(NodeId /*node*/, Seconds /*now*/) {}

  virtual std::vector<Order> decide(Seconds now) = 0;
  // Once its orders are carried out: when to be asked though nothing has happened, or forever().
  virtual Seconds wake() = 0;
  // How long an attempt may last, where the controller is to see to it.
  virtual Seconds limit(const Job& job) const = 0;

  virtual std::size_t waiting() const = 0;
  // Of those that wait, none will ever start although nothing is in their way: the run ends.
  virtual bool gives_up() const { return false; }
  // Nothing runs, nothing comes, every node is up: whether waiting on would be for ever.
  virtual bool is_stuck() const { return false; }
  // Of what waits, for the message of a stuck simulation.
  virtual std::string describe() const = 0;
};

}  // namespace trainyard
