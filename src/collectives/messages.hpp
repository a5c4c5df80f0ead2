// A Schedule's messages and what each waits for: its Pace as a graph.
#pragma once

#include "collectives/collective.hpp"

#include <vector>

namespace trainyard {

// The transfers of one step and channel from one rank to another.
struct Message {
  Rank from, to;
  std::int32_t channel = 0;
  std::vector<std::int32_t> chunks;
  // Earlier messages. What is implied by another of them may be left out.
  std::vector<int> arrivals;    // have arrived at `from`
  std::vector<int> departures;  // sent by `from`: have ended, or, if streamed, been sent
};

// In the order of the steps.
std::vector<Message> messages_of(const Schedule& schedule);

Bytes message_bytes(const Collective& collective, const Schedule& schedule, const Message& message);

}  // namespace trainyard
