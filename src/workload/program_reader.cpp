// A Program from `operations:` in a user's file.
#include "base/text.hpp"
#include "workload/plan_values.hpp"
#include "workload/program.hpp"

#include <map>

namespace trainyard {

namespace {

constexpr int kMostStreams = 64;  // far more than a GPU runs at once

// The key that makes an operation what it is, and the collective it stands for.
struct KindKey {
  const char* key;
  bool is_compute;
  CollectiveKind collective;
};

const KindKey kKinds[] = {
    {"compute", true, CollectiveKind::AllReduce},
    {"all_reduce", false, CollectiveKind::AllReduce},
    {"all_gather", false, CollectiveKind::AllGather},
    {"reduce_scatter", false, CollectiveKind::ReduceScatter},
    {"all_to_all", false, CollectiveKind::AllToAll},
    {"broadcast", false, CollectiveKind::Broadcast},
};

const KindKey& kind_of(Section& section) {
  const KindKey* found = nullptr;
  std::vector<std::string> known;
  for (const KindKey& kind : kKinds) {
    known.emplace_back(kind.key);
    if (!section.has(kind.key)) continue;
    if (found)
      throw section.error(kind.key, std::string("an operation has one kind, and this one is '") +
                                        found->key + "' already");
    found = &kind;
  }
  if (found) return *found;
  for (const std::string& key : section.keys())  // a misspelt kind, before a missing one
    if (!near_match(key, known).empty())
      throw section.error(key, "unknown key" + suggestion(key, known));
  throw section.error("needs one of: " + join(known));
}

Group read_group(Section& section) {
  const std::string group = section.one_of_or("group", {"tensor", "data", "world"}, "world");
  if (group == "tensor") return Group::Tensor;
  return group == "data" ? Group::Data : Group::World;
}

void read_collective(Section& section, const KindKey& kind, Operation& operation) {
  operation.kind = Operation::Kind::Communicate;
  operation.collective = kind.collective;
  operation.size = section.bytes(kind.key);
  operation.group = read_group(section);
  if (kind.collective == CollectiveKind::AllToAll && section.has("skew")) {
    operation.collective = CollectiveKind::AllToAllV;
    operation.skew = section.number("skew", 1, 1e6);
  }
  if (section.has("algorithm"))
    operation.algorithm = section.one_of("algorithm", algorithm_names(operation.collective));
}

Operation read_operation(Section& section) {
  Operation operation;
  operation.name = section.text("name");
  operation.stream = static_cast<int>(section.integer_or("stream", 0, 0));
  if (section.integer_or("stream", 0, 0) >= kMostStreams)
    throw section.error("stream", "must be less than " + std::to_string(kMostStreams));
  const KindKey& kind = kind_of(section);
  if (kind.is_compute)
    operation.duration = positive_seconds(section, kind.key);
  else
    read_collective(section, kind, operation);
  return operation;
}

using Indices = std::map<std::string, int>;

Indices indices_of(const std::vector<Operation>& operations, const std::vector<Section>& sections) {
  Indices result;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const auto [first, is_new] = result.emplace(operations[i].name, static_cast<int>(i));
    if (!is_new)
      throw sections[i].error(
          "name",
          "duplicate name '" + first->first + "', first on line " +
              std::to_string(sections[static_cast<std::size_t>(first->second)].place("name").line));
  }
  return result;
}

std::vector<int> read_after(Section& section, const Indices& indices) {
  std::vector<std::string> names;
  if (section.is_scalar("after"))
    names.push_back(section.text("after"));
  else if (section.has("after"))
    names = section.texts("after");
  std::vector<int> after;
  for (const std::string& name : names) {
    const auto found = indices.find(name);
    if (found == indices.end()) {
      std::vector<std::string> known;
      for (const auto& entry : indices) known.push_back(entry.first);
      throw section.error("after", "unknown operation '" + name + "'" + suggestion(name, known));
    }
    after.push_back(found->second);
  }
  return after;
}

}  // namespace

Program read_program(Section& section) {
  std::vector<Section> sections = section.sections("operations");
  if (sections.empty()) throw section.error("operations", "must list at least one operation");
  Program program;
  for (Section& each : sections) program.operations.push_back(read_operation(each));
  const Indices indices = indices_of(program.operations, sections);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    program.operations[i].after = read_after(sections[i], indices);
    sections[i].finish();
  }
  const std::string cycle = dependency_cycle(program);
  if (!cycle.empty()) throw section.error("operations", "operations form a cycle: " + cycle);
  return program;
}

}  // namespace trainyard
