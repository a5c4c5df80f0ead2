// An actor's inbox: messages in the order posted, and a semaphore to sleep on. Posting takes no
// simulated time and no network, unlike a SimGrid mailbox between hosts; it may be done from the
// models' completions too.
#pragma once

#include "base/quantity.hpp"

#include <simgrid/s4u.hpp>

#include <deque>
#include <optional>

namespace trainyard {

template <typename Message>
class Inbox {
public:
  void post(Message message) {
    messages_.push_back(std::move(message));
    arrived_->release();
  }

  // Waits for the next message.
  Message receive() {
    arrived_->acquire();
    return take();
  }

  // Waits at most so long; nothing if no message came.
  std::optional<Message> receive_within(Seconds patience) {
    if (patience == forever()) return receive();
    if (arrived_->acquire_timeout(in_seconds(patience))) return std::nullopt;
    return take();
  }

  // What is there already.
  std::optional<Message> receive_now() {
    if (messages_.empty()) return std::nullopt;
    return receive();
  }

private:
  Message take() {
    Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

  std::deque<Message> messages_;
  simgrid::s4u::SemaphorePtr arrived_ = simgrid::s4u::Semaphore::create(0);
};

}  // namespace trainyard
