#include "workload/steps/writers/side_by_side.hpp"

namespace trainyard {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// The end of the stretch from `at`: one computation and everything up to the next.
int next_stretch(const Program& program, int at, int end) {
  bool computed = false;
  for (; at < end; ++at) {
    const bool computes = program.operations[index(at)].kind == Operation::Kind::Compute;
    if (computes && computed) break;
    computed = computed || computes;
  }
  return at;
}

void add_in_turn(const Program& program, const SideBySide& pair, std::vector<int>& order) {
  int first = pair.begin, second = pair.middle;
  while (first < pair.middle || second < pair.end) {
    for (const int stop = next_stretch(program, second, pair.end); second < stop; ++second)
      order.push_back(second);
    for (const int stop = next_stretch(program, first, pair.middle); first < stop; ++first)
      order.push_back(first);
  }
}

}  // namespace

Program side_by_side(Program program, const std::vector<SideBySide>& pairs) {
  if (pairs.empty()) return program;
  std::vector<int> order;
  for (const SideBySide& pair : pairs) {
    while (static_cast<int>(order.size()) < pair.begin)
      order.push_back(static_cast<int>(order.size()));
    add_in_turn(program, pair, order);
  }
  while (order.size() < program.operations.size()) order.push_back(static_cast<int>(order.size()));
  std::vector<int> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[index(order[i])] = static_cast<int>(i);
  Program result;
  for (const int i : order) {
    result.operations.push_back(std::move(program.operations[index(i)]));
    for (int& p : result.operations.back().after) p = position[index(p)];
  }
  return result;
}

}  // namespace trainyard
