#include "workload/importers/recorded/eager.hpp"

#include <algorithm>

namespace trainyard {

namespace {

bool has_circle(const RecordedRank& rank) {
  Program program;
  for (const RecordedOperation& recorded : rank.operations)
    program.operations.push_back(recorded.operation);
  return !dependency_cycle(program).empty();
}

void add_once(std::vector<int>& list, const std::vector<int>& more) {
  list.insert(list.end(), more.begin(), more.end());
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

void receive_at_once(RecordedRank& rank, const std::vector<bool>& eager) {
  std::vector<std::vector<int>> waited(rank.operations.size());  // of eager receives: for what
  for (std::size_t i = 0; i < rank.operations.size(); ++i) {
    std::vector<int>& after = rank.operations[i].operation.after;
    std::vector<int> more;
    for (const int before : after) {
      const auto b = static_cast<std::size_t>(before);
      if (eager[b]) add_once(more, waited[b]);
    }
    if (!more.empty()) add_once(after, more);
    if (eager[i]) waited[i] = std::move(after);
    if (eager[i]) after.clear();
  }
}

}  // namespace

void send_eagerly(RecordedStep& step, Bytes largest) {
  for (std::size_t r = 0; r < step.ranks.size(); ++r) {
    RecordedRank& rank = step.ranks[r];
    std::vector<bool> eager(rank.operations.size(), false);
    for (std::size_t i = 0; i < eager.size(); ++i) {
      const Operation& o = rank.operations[i].operation;
      if (o.kind != Operation::Kind::Communicate || o.size > largest) continue;
      const RecordedGroup& group = step.groups[static_cast<std::size_t>(o.group)];
      eager[i] = group.transfer && group.ranks[1] == static_cast<int>(r);
    }
    const bool any = std::find(eager.begin(), eager.end(), true) != eager.end();
    if (any && !has_circle(rank)) receive_at_once(rank, eager);
  }
}

}  // namespace trainyard
