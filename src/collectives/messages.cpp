#include "collectives/messages.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace trainyard {
namespace {

using Messages = std::vector<Message>;
using Connection = std::tuple<Rank, Rank, std::int32_t>;

Connection connection_of(const Message& message) {
  return {message.from, message.to, message.channel};
}

// Merges the transfers of each pair; in the order of each pair's first.
Messages merged(const Step& step) {
  Messages messages;
  std::map<Connection, std::size_t> known;
  for (const Transfer& transfer : step) {
    const Connection connection(transfer.from, transfer.to, transfer.channel);
    const auto [at, is_new] = known.emplace(connection, messages.size());
    if (is_new) messages.push_back({transfer.from, transfer.to, transfer.channel, {}, {}, {}});
    messages[at->second].chunks.push_back(transfer.chunk);
  }
  return messages;
}

// What the steps so far have sent, as far as a later message may wait for it.
class Past {
public:
  explicit Past(const Schedule& schedule)
      : pace_(schedule.pace), addressed_(static_cast<std::size_t>(schedule.places())) {}

  void let_wait(Message& message) const {
    if (pace_ == Pace::Streamed) return let_wait_for_chunks(message);
    const std::vector<int>& heard = addressed_[message.from.index()];
    std::size_t known = 0;  // implied by the message it waits for
    const auto own = latest_.find(message.from);
    const auto before = to_peer_.find(connection_of(message));
    if (pace_ == Pace::OneAtATime && own != latest_.end()) {
      message.departures = own->second.messages;
      known = own->second.heard;
    } else if (before != to_peer_.end()) {
      message.departures.push_back(before->second.message);
      known = before->second.heard;
    }
    message.arrivals.assign(heard.begin() + static_cast<std::ptrdiff_t>(known), heard.end());
  }

  // The messages first, first+1, ... are a step.
  void add(const Messages& all, std::size_t first) {
    std::map<Rank, LastStep> latest;
    for (std::size_t i = first; i < all.size(); ++i) {
      const int id = static_cast<int>(i);
      to_peer_[connection_of(all[i])] = {id, addressed_[all[i].from.index()].size()};
      LastStep& own = latest[all[i].from];
      own.messages.push_back(id);
      own.heard = addressed_[all[i].from.index()].size();
    }
    for (auto& [rank, own] : latest) latest_[rank] = std::move(own);
    for (std::size_t i = first; i < all.size(); ++i) {
      const int id = static_cast<int>(i);
      addressed_[all[i].to.index()].push_back(id);
      if (pace_ == Pace::Streamed)
        for (const std::int32_t chunk : all[i].chunks) of_chunk_[{all[i].to, chunk}].push_back(id);
    }
  }

private:
  void let_wait_for_chunks(Message& message) const {
    const auto before = to_peer_.find(connection_of(message));
    if (before != to_peer_.end()) message.departures.push_back(before->second.message);
    for (const std::int32_t chunk : message.chunks) {
      const auto found = of_chunk_.find({message.from, chunk});
      if (found == of_chunk_.end()) continue;
      message.arrivals.insert(message.arrivals.end(), found->second.begin(), found->second.end());
    }
    std::sort(message.arrivals.begin(), message.arrivals.end());
    message.arrivals.erase(std::unique(message.arrivals.begin(), message.arrivals.end()),
                           message.arrivals.end());
  }

  struct Latest {
    int message;
    std::size_t heard;  // how much its sender had heard then
  };
  struct LastStep {
    std::vector<int> messages;
    std::size_t heard = 0;
  };
  Pace pace_;
  std::vector<std::vector<int>> addressed_;  // messages by receiver
  std::map<std::pair<Rank, std::int32_t>, std::vector<int>> of_chunk_;
  std::map<Connection, Latest> to_peer_;
  std::map<Rank, LastStep> latest_;  // of the last step that a rank sent in
};

}  // namespace

std::vector<Message> messages_of(const Schedule& schedule) {
  Messages all;
  Past past(schedule);
  for (const Step& step : schedule.steps) {
    const std::size_t first = all.size();
    for (Message& message : merged(step)) {
      past.let_wait(message);
      all.push_back(std::move(message));
    }
    past.add(all, first);
  }
  return all;
}

Bytes message_bytes(const Collective& collective, const Schedule& schedule,
                    const Message& message) {
  Bytes total;
  for (const std::int32_t chunk : message.chunks)
    total += transfer_bytes(collective, schedule, {message.from, message.to, chunk, false});
  return total;
}

}  // namespace trainyard
