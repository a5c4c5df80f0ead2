// A Reservation: when the head of the queue can start at the latest, and what it will need then.
//
// That shadow time is the earliest at which the head fits if every running job runs to its limit
// and nothing else starts. Counted per node, so that a head whose blocks must each be on one node
// waits for nodes, not for a total. A job past its limit, or already releasing its GPUs, counts as
// ending one second from now. A node that is down is not expected back.
//
// Two limits of what can be foreseen:
//   - a head that would not fit even on all nodes now up has no shadow time: there is nothing to
//     delay, so it admits everything, rather than stop the cluster until a repair;
//   - a head that waits for a job without a limit has an infinite one: jobs with a limit end before
//     it, a job without may start only on what the head would not need even then.
#pragma once

#include "schedulers/capacity.hpp"

#include <utility>
#include <vector>

namespace trainyard {

class Reservation {
public:
  // `started`: decided in this round, so not yet running in the view. `free_per_node`: after those.
  Reservation(const Job& head, const ClusterView& view, const std::vector<RunningJob>& started,
              const std::vector<int>& free_per_node);

  Seconds shadow() const { return shadow_; }
  // Cheap, and without knowing where: whether it is worth finding an allocation for `job`.
  bool could_admit(const Job& job) const;
  // Whether `job` may start there now without delaying the head. If so it must be started.
  bool admit(const Job& job, const Allocation& allocation);

private:
  using Shape = std::pair<int, int>;  // GPUs, and GPUs a block
  static Shape shape(const Job& job) { return {job.gpus, job.gpus_per_block}; }
  bool harmless(const Job& job) const;

  const Job* head_;
  Seconds now_;
  Seconds shadow_ = forever();
  Capacity at_shadow_;  // free at the shadow time, before the head takes its part
  bool head_can_fit_ = true;
  // Requests refused where the placement put them. The same request would be put there again until
  // something starts, so it is not tried twice: a queue of a thousand alike costs one placement.
  // (Random placement might try elsewhere for another job; it too gets one try per shape.)
  std::vector<Shape> refused_;
};

}  // namespace trainyard
