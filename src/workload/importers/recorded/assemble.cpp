#include "workload/importers/recorded/assemble.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace trainyard {

namespace {

// Whether two operations are the same but for what the record says of their times.
bool same(const Operation& a, const Operation& b) {
  return a.name == b.name && a.kind == b.kind && a.purpose == b.purpose && a.stream == b.stream &&
         a.duration == b.duration && a.flops == b.flops && a.hbm_bytes == b.hbm_bytes &&
         a.collective == b.collective && a.group == b.group && a.size == b.size &&
         a.after == b.after;
}

std::size_t hash_of(const Program& program) {
  std::size_t hash = program.operations.size();
  const auto mix = [&hash](std::size_t value) { hash = hash * 1099511628211ULL + value; };
  for (const Operation& o : program.operations) {
    mix(std::hash<std::string>()(o.name));
    mix(std::hash<double>()(in_seconds(o.duration)));
    mix(static_cast<std::size_t>(o.size.count()));
    mix(static_cast<std::size_t>(o.group));
  }
  return hash;
}

// Gives each group the first slot, of its name and size, that none of its ranks uses yet.
class Slots {
public:
  explicit Slots(JobProgram& job) : job_(job) {}

  void add(const RecordedGroup& group) {
    const auto number = static_cast<int>(job_.groups.size());
    int slot = 0;
    while (slot < static_cast<int>(job_.slots.size()) && !fits(group, slot)) ++slot;
    if (slot == static_cast<int>(job_.slots.size())) {
      job_.slots.push_back(
          {group.name, group.transfer ? Dimension::Pipeline : dimension_named(group.name)});
      sizes_.push_back(group.ranks.size());
      transfers_.push_back(group.transfer);
      for (RankRole& role : job_.ranks) role.groups.push_back(-1);
    }
    job_.groups.push_back({slot, group.ranks});
    for (const int rank : group.ranks)
      if (static_cast<std::size_t>(rank) < job_.ranks.size())
        job_.ranks[static_cast<std::size_t>(rank)].groups[static_cast<std::size_t>(slot)] = number;
  }

private:
  bool fits(const RecordedGroup& group, int slot) const {
    const auto s = static_cast<std::size_t>(slot);
    if (sizes_[s] != group.ranks.size() || transfers_[s] != group.transfer) return false;
    if (dimension_named(group.name) != job_.slots[s].dimension && !group.transfer) return false;
    return std::all_of(group.ranks.begin(), group.ranks.end(), [&](int rank) {
      return static_cast<std::size_t>(rank) >= job_.ranks.size() ||
             job_.ranks[static_cast<std::size_t>(rank)].groups[s] < 0;
    });
  }

  JobProgram& job_;
  std::vector<std::size_t> sizes_;
  std::vector<bool> transfers_;
};

// In the order in which ranks first use them, so that ranks that do alike get alike slots.
std::vector<int> groups_by_use(const RecordedStep& step) {
  std::vector<int> order;
  std::vector<bool> seen(step.groups.size(), false);
  const auto use = [&](std::size_t group) {
    if (!seen[group]) order.push_back(static_cast<int>(group));
    seen[group] = true;
  };
  for (const RecordedRank& rank : step.ranks)
    for (const RecordedOperation& o : rank.operations)
      if (o.operation.kind == Operation::Kind::Communicate)
        use(static_cast<std::size_t>(o.operation.group));
  return order;
}

class Programs {
public:
  explicit Programs(JobProgram& job) : job_(job) {}

  int number_of(Program program) {
    std::vector<int>& candidates = by_hash_[hash_of(program)];
    for (const int candidate : candidates) {
      const auto& known = job_.programs[static_cast<std::size_t>(candidate)].operations;
      if (std::equal(known.begin(), known.end(), program.operations.begin(),
                     program.operations.end(), same))
        return candidate;
    }
    candidates.push_back(static_cast<int>(job_.programs.size()));
    job_.programs.push_back(std::move(program));
    return candidates.back();
  }

private:
  JobProgram& job_;
  std::unordered_map<std::size_t, std::vector<int>> by_hash_;  // looked up only, never iterated
};

}  // namespace

JobProgram assemble(const RecordedStep& step) {
  if (step.written) return *step.written;
  JobProgram job;
  job.ranks.resize(step.ranks.size());
  Slots slots(job);
  std::vector<int> slot_of(step.groups.size(), 0);
  for (const int group : groups_by_use(step)) {
    slots.add(step.groups[static_cast<std::size_t>(group)]);
    slot_of[static_cast<std::size_t>(group)] = job.groups.back().slot;
  }
  Programs programs(job);
  for (std::size_t r = 0; r < step.ranks.size(); ++r) {
    Program program;
    program.operations.reserve(step.ranks[r].operations.size());
    for (const RecordedOperation& recorded : step.ranks[r].operations) {
      program.operations.push_back(recorded.operation);
      Operation& o = program.operations.back();
      o.group = o.kind == Operation::Kind::Communicate
                    ? Group{slot_of[static_cast<std::size_t>(o.group)]}
                    : Group{0};
    }
    job.ranks[r].program = programs.number_of(std::move(program));
  }
  return job;
}

JobProgram sound_job(const RecordedStep& step) {
  JobProgram job = assemble(step);
  for (const LintFinding& finding : lint_recorded(step, job))
    if (finding.severity == LintFinding::Severity::Error)
      throw InputError({finding.place}, finding.rule, finding.problem);
  return job;
}

void join_tags(RecordedStep& step) {
  using Tags = std::vector<std::int64_t>;
  std::map<std::pair<int, int>, std::pair<Tags, Tags>> ends;  // of a pair: what each end lists
  for (std::size_t r = 0; r < step.ranks.size(); ++r)
    for (const RecordedOperation& o : step.ranks[r].operations) {
      if (o.operation.kind != Operation::Kind::Communicate) continue;
      const RecordedGroup& group = step.groups[static_cast<std::size_t>(o.operation.group)];
      if (!group.transfer) continue;
      auto& [from, to] = ends[{group.ranks[0], group.ranks[1]}];
      (static_cast<int>(r) == group.ranks[0] ? from : to).push_back(group.tag);
    }
  std::map<std::pair<int, int>, int> one;  // of a pair in one order: the group that stands for all
  std::vector<int> becomes(step.groups.size());
  std::iota(becomes.begin(), becomes.end(), 0);
  for (std::size_t g = 0; g < step.groups.size(); ++g) {
    if (!step.groups[g].transfer) continue;
    const std::pair<int, int> pair{step.groups[g].ranks[0], step.groups[g].ranks[1]};
    if (ends[pair].first == ends[pair].second)
      becomes[g] = one.insert({pair, static_cast<int>(g)}).first->second;
  }
  for (RecordedRank& rank : step.ranks)
    for (RecordedOperation& o : rank.operations)
      if (o.operation.kind == Operation::Kind::Communicate)
        o.operation.group = Group{becomes[static_cast<std::size_t>(o.operation.group)]};
}

void fill_alike(RecordedStep& step) {
  const auto has_file = [](const RecordedRank& rank) { return !rank.file.empty(); };
  const auto first = std::find_if(step.ranks.begin(), step.ranks.end(), has_file);
  if (step.written || first == step.ranks.end() ||
      std::all_of(step.ranks.begin(), step.ranks.end(), has_file))
    throw InputError({}, "alike", "no rank is without a file");
  for (const RecordedGroup& group : step.groups)
    if (group.transfer || group.ranks.size() != step.ranks.size())
      throw InputError({first->file}, "alike",
                       "group '" + printable(group.name) + "' is of " +
                           counted(static_cast<std::int64_t>(group.ranks.size()), "rank") + " of " +
                           std::to_string(step.ranks.size()) +
                           ": ranks that are in different groups do not do the same");
  const RecordedRank model = *first;
  std::int64_t filled = 0;
  for (RecordedRank& rank : step.ranks) {
    if (has_file(rank)) continue;
    rank = model;
    ++filled;
  }
  step.notes.push_back(counted(filled, "rank") + " without a file: taken to do as rank " +
                       std::to_string(first - step.ranks.begin()) + " does");
}

}  // namespace trainyard
