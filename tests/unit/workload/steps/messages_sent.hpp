// How many messages a rank sends and of how many bytes, and short names for writing formulas of it.
#pragma once

#include "rendezvous.hpp"

namespace trainyard::testing {

constexpr std::int64_t kSequence = 512, kHidden = 1024;  // of the small models

constexpr auto kAllReduce = CollectiveKind::AllReduce;
constexpr auto kAllGather = CollectiveKind::AllGather;
constexpr auto kReduceScatter = CollectiveKind::ReduceScatter;
constexpr auto kAllToAll = CollectiveKind::AllToAll;
constexpr auto kSendRecv = CollectiveKind::SendRecv;

// The bytes of a rank's messages of a kind on a slot, and how many there are.
struct Sent {
  int count = 0;
  std::int64_t bytes = 0;
};
inline bool operator==(const Sent& a, const Sent& b) {
  return a.count == b.count && a.bytes == b.bytes;
}
inline std::ostream& operator<<(std::ostream& out, const Sent& sent) {
  return out << sent.count << " messages, " << sent.bytes << " bytes";
}

inline Sent messages(const JobProgram& job, int rank, const std::string& slot,
                     CollectiveKind kind) {
  Sent sent;
  for (const Operation& operation : program_of(job, rank).operations)
    if (operation.kind == Operation::Kind::Communicate && operation.collective == kind &&
        job.slots[static_cast<std::size_t>(operation.group)].name == slot) {
      ++sent.count;
      sent.bytes += operation.size.count();
    }
  return sent;
}

}  // namespace trainyard::testing
