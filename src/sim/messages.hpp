// What the actors tell the scheduler. News travels by message, so that no actor includes the
// controller.
#pragma once

#include "base/ids.hpp"
#include "sim/inbox.hpp"
#include "workload/job.hpp"

#include <variant>

namespace trainyard {

struct JobSubmitted {
  JobId job;
};
struct SubmissionsEnded {};
struct AttemptEnded {  // by itself: all steps done, or the checkpoint asked for has been written
  JobId job;
  int attempt;
  JobState state;
};
struct CommunicatorAborted {  // a transfer of the job's got no answer within its retry budget
  JobId job;
  LinkId waited_for;
};
struct CableRepaired {};
struct NodeFailed {
  NodeId node;
};
struct NodeRepaired {
  NodeId node;
};

using SchedulerMessage = std::variant<JobSubmitted, SubmissionsEnded, AttemptEnded,
                                      CommunicatorAborted, CableRepaired, NodeFailed, NodeRepaired>;
using SchedulerInbox = Inbox<SchedulerMessage>;

}  // namespace trainyard
