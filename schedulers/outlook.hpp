// An Outlook: how many GPUs will be free when, if every running job goes on to its limit and the
// promised jobs run when they were promised.
//
// Spans of time, each with the GPUs free throughout; the last never ends. Promises are numbers, not
// places: within each span they are packed anew onto the nodes with the least room, because a job
// that has not started may still go anywhere. Per node is counted only if somebody asks for blocks.
// A job past its limit, or already releasing its GPUs, counts as ending one second from now. A node
// that is down is not expected back.
#pragma once

#include "schedulers/policy.hpp"

#include <vector>

namespace trainyard {

class Outlook {
public:
  enum class Detail { Total, PerNode };  // PerNode is needed where a job has blocks
  // `started`: decided in this round, so not yet running in the view. `free_per_node`: after those.
  Outlook(const ClusterView& view, const std::vector<RunningJob>& started,
          const std::vector<int>& free_per_node, Detail detail);

  // From when on the job fits until its limit; for ever if no end of running jobs makes room.
  Seconds earliest(const Job& job) const;
  // Takes what the job needs, where it fits: false, and nothing is promised, where it does not.
  bool promise(const Job& job, Seconds start);

private:
  struct Span {
    Seconds begin;
    int free = 0;
    std::vector<int> per_node;  // empty unless counted
  };

  static bool fits(const Job& job, const Span& span);
  static void take(const Job& job, Span& span);
  void give(const Allocation& allocation, const ClusterView& view, Span& span) const;
  std::size_t split(Seconds at);  // the span that begins there

  Detail detail_;
  std::vector<Span> spans_;
};

}  // namespace trainyard
