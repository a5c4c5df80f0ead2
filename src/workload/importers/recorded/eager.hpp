// Sends that do not wait for their receiver.
//
// A transfer starts when both ends have come to it. Where a sender need not wait (eager messages,
// buffered by the receiver), the receiver comes at once: its end waits for nothing, and whoever
// waited for the receive waits for the transfer and for what the receive waited for.
#pragma once

#include "workload/importers/recorded/recorded_step.hpp"

namespace trainyard {

// Of all transfers of at most `largest`. Ranks whose operations wait in a circle stay as they are.
void send_eagerly(RecordedStep& step, Bytes largest);

}  // namespace trainyard
