#include "workload/program_rewrite.hpp"

#include <algorithm>

namespace trainyard {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// The operation before each one on its own stream, or -1.
std::vector<int> stream_predecessors(const Program& program) {
  std::vector<int> last(index(program.streams()), -1);
  std::vector<int> before;
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    int& previous = last[index(program.operations[i].stream)];
    before.push_back(previous);
    previous = static_cast<int>(i);
  }
  return before;
}

// The wanted operations at the ends of the chains of unwanted ones that lead from `open`.
std::vector<int> wanted_ends(std::vector<int> open, const std::vector<bool>& unwanted,
                             const std::vector<std::vector<int>>& waits_for) {
  std::vector<int> ends;
  std::vector<int> seen;
  while (!open.empty()) {
    const int p = open.back();
    open.pop_back();
    if (std::find(seen.begin(), seen.end(), p) != seen.end()) continue;
    seen.push_back(p);
    if (unwanted[index(p)])
      open.insert(open.end(), waits_for[index(p)].begin(), waits_for[index(p)].end());
    else
      ends.push_back(p);
  }
  std::sort(ends.begin(), ends.end());
  return ends;
}

// Whether anything other than the stream's own order waits for each operation.
std::vector<bool> waited_for(const Program& program) {
  std::vector<bool> result(program.operations.size(), false);
  for (const Operation& operation : program.operations)
    for (const int p : operation.after) result[index(p)] = true;
  return result;
}

// For each operation, the position in the merged program of the one that contains it.
struct Merged {
  Program program;
  std::vector<int> position;
};

Merged join_neighbours(const Program& program) {
  const std::vector<int> before = stream_predecessors(program);
  const std::vector<bool> is_awaited = waited_for(program);
  const auto& operations = program.operations;
  Merged merged;
  std::vector<std::string> first_name;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    const int previous = before[i];
    const bool joins = previous >= 0 && operation.kind == Operation::Kind::Compute &&
                       operations[index(previous)].kind == Operation::Kind::Compute &&
                       operation.after.empty() && !is_awaited[index(previous)];
    if (joins) {
      const int at = merged.position[index(previous)];
      Operation& host = merged.program.operations[index(at)];
      host.duration += operation.duration;
      host.name = first_name[index(at)] + ".." + operation.name;
      merged.position.push_back(at);
    } else {
      merged.position.push_back(static_cast<int>(merged.program.operations.size()));
      merged.program.operations.push_back(operation);
      first_name.push_back(operation.name);
    }
  }
  return merged;
}

}  // namespace

std::vector<std::vector<int>> predecessors(const Program& program) {
  const std::vector<int> before = stream_predecessors(program);
  std::vector<std::vector<int>> result;
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    result.push_back(program.operations[i].after);
    if (before[i] >= 0) result.back().push_back(before[i]);
  }
  return result;
}

Program without(const Program& program, const std::vector<bool>& unwanted) {
  const std::vector<std::vector<int>> waits_for = predecessors(program);
  std::vector<int> position(unwanted.size(), -1);
  int kept = 0;
  for (std::size_t i = 0; i < unwanted.size(); ++i)
    if (!unwanted[i]) position[i] = kept++;
  Program result;
  for (std::size_t i = 0; i < unwanted.size(); ++i) {
    if (unwanted[i]) continue;
    Operation operation = program.operations[i];
    std::vector<int> open = operation.after;
    for (const int p : waits_for[i])
      if (unwanted[index(p)]) open.push_back(p);
    operation.after = wanted_ends(std::move(open), unwanted, waits_for);
    for (int& p : operation.after) p = position[index(p)];
    result.operations.push_back(std::move(operation));
  }
  return result;
}

Program merge_computations(const Program& program) {
  Merged merged = join_neighbours(program);
  for (Operation& operation : merged.program.operations)
    for (int& p : operation.after) p = merged.position[index(p)];
  return std::move(merged.program);
}

}  // namespace trainyard
