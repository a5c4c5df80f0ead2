// Whether the members of a process group list the same communication: the n-th of one is the n-th
// of every other.

#include "workload/lint/linter.hpp"

#include <algorithm>

namespace trainyard {

namespace {

bool alike(const Operation& a, const Operation& b) {
  return a.collective == b.collective && a.size == b.size;
}

std::string described(const Operation& o) {
  return std::string(to_string(o.collective)) + " of " + std::to_string(o.size.count()) + " B";
}

}  // namespace

void Linter::check_matching(const ProcessGroup& group) {
  const auto is_busy = [&](int rank) { return !idle(rank); };
  const auto first = std::find_if(group.ranks.begin(), group.ranks.end(), is_busy);
  for (auto rank = first; rank != group.ranks.end(); ++rank)
    if (rank != first && !idle(*rank) && !match(group, *first, *rank)) return;  // once is enough
}

bool Linter::match(const ProcessGroup& group, int a, int b) {
  if (job_.ranks[static_cast<std::size_t>(a)].program ==
      job_.ranks[static_cast<std::size_t>(b)].program)
    return true;
  const std::vector<int>& of_a = listed(a, group.slot);
  const std::vector<int>& of_b = listed(b, group.slot);
  for (std::size_t i = 0; i < std::min(of_a.size(), of_b.size()); ++i) {
    const Operation& left = operation(a, of_a[i]);
    const Operation& right = operation(b, of_b[i]);
    if (alike(left, right)) continue;
    error(in_another_order(group, a, b) ? "order of collectives" : "mismatched collectives",
          place_of_(b, of_b[i]),
          "number " + std::to_string(i + 1) + " of rank " + std::to_string(b) + " on " +
              name_of(group) + " is " + described(right) + ", of rank " + std::to_string(a) + " " +
              described(left) + " (" + place_of_(a, of_a[i]) + ")");
    return false;
  }
  return match_counts(group, a, b);
}

bool Linter::match_counts(const ProcessGroup& group, int a, int b) {
  const std::size_t of_a = listed(a, group.slot).size(), of_b = listed(b, group.slot).size();
  if (of_a == of_b) return true;
  const int more = of_a > of_b ? a : b;
  const std::vector<int>& longer = listed(more, group.slot);
  const bool transfer = operation(more, longer.front()).collective == CollectiveKind::SendRecv;
  error(transfer ? "unmatched transfer" : "mismatched collectives",
        place_of_(more, longer[std::min(of_a, of_b)]),
        "rank " + std::to_string(more) + " lists " + std::to_string(longer.size()) + " on " +
            name_of(group) + ", rank " + std::to_string(more == a ? b : a) + " only " +
            std::to_string(std::min(of_a, of_b)) + ": this one waits for ever");
  return false;
}

// The same collectives, but not one by one.
bool Linter::in_another_order(const ProcessGroup& group, int a, int b) const {
  const auto sorted = [&](int rank) {
    std::vector<std::pair<CollectiveKind, std::int64_t>> result;
    for (const int i : listed(rank, group.slot))
      result.emplace_back(operation(rank, i).collective, operation(rank, i).size.count());
    std::sort(result.begin(), result.end());
    return result;
  };
  return sorted(a) == sorted(b);
}

}  // namespace trainyard
