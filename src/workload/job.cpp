#include "workload/job.hpp"

namespace trainyard {

const char* to_string(JobState state) {
  switch (state) {
    case JobState::Pending:
      return "PENDING";
    case JobState::Running:
      return "RUNNING";
    case JobState::Completing:
      return "COMPLETING";
    case JobState::Completed:
      return "COMPLETED";
    case JobState::Timeout:
      return "TIMEOUT";
    case JobState::Failed:
      return "FAILED";
    case JobState::NodeFail:
      return "NODE_FAIL";
    case JobState::Preempted:
      return "PREEMPTED";
    case JobState::Resizing:
      return "RESIZING";
    case JobState::Cancelled:
      return "CANCELLED";
  }
  return "UNKNOWN";  // unreachable: the compiler checks that every state is named above
}

}  // namespace trainyard
