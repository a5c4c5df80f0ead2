#include "workload/lint/lint.hpp"

#include "base/text.hpp"
#include "workload/lint/linter.hpp"

#include <algorithm>
#include <set>

namespace trainyard {

namespace {

using Severity = LintFinding::Severity;

constexpr std::size_t kShown = 4;  // ranks of a list

std::string ranks_of(const ProcessGroup& group) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kShown, group.ranks.size()); ++i)
    names.push_back(std::to_string(group.ranks[i]));
  if (group.ranks.size() > kShown) names.emplace_back("... " + std::to_string(group.ranks.back()));
  return join(names);
}

}  // namespace

Linter::Linter(const JobProgram& job, const PlaceOf& place_of)
    : job_(job), place_of_(place_of), listed_(job.programs.size()) {
  for (std::size_t p = 0; p < job.programs.size(); ++p) {
    listed_[p].resize(job.slots.size());
    const std::vector<Operation>& operations = job.programs[p].operations;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const auto slot = static_cast<std::size_t>(operations[i].group);
      if (operations[i].kind == Operation::Kind::Communicate && slot < job.slots.size())
        listed_[p][slot].push_back(static_cast<int>(i));
    }
  }
}

std::vector<LintFinding> Linter::check() {
  check_idle();
  check_cycles();
  for (std::size_t g = 0; g < job_.groups.size(); ++g)
    if (check_members(g)) check_matching(job_.groups[g]);
  check_operations();
  return std::move(findings_);
}

void Linter::error(const std::string& rule, const std::string& place, const std::string& problem) {
  findings_.push_back({Severity::Error, rule, place, problem});
}

const Program& Linter::program_of(int rank) const {
  return job_
      .programs[static_cast<std::size_t>(job_.ranks[static_cast<std::size_t>(rank)].program)];
}

const std::vector<int>& Linter::listed(int rank, int slot) const {
  const auto program = static_cast<std::size_t>(job_.ranks[static_cast<std::size_t>(rank)].program);
  return listed_[program][static_cast<std::size_t>(slot)];
}

const Operation& Linter::operation(int rank, int index) const {
  return program_of(rank).operations[static_cast<std::size_t>(index)];
}

std::string Linter::name_of(const ProcessGroup& group) const {
  return "'" + job_.slots[static_cast<std::size_t>(group.slot)].name + "' (ranks " +
         ranks_of(group) + ")";
}

// A rank that does nothing at all is said once, not at every group that waits for it.
void Linter::check_idle() {
  std::vector<std::string> ranks;
  for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank)
    if (idle(static_cast<int>(rank))) ranks.push_back(std::to_string(rank));
  if (ranks.empty()) return;
  const auto count = static_cast<std::int64_t>(ranks.size());
  if (ranks.size() > kShown) {
    ranks.resize(kShown);
    ranks.emplace_back("...");
  }
  error("missing rank", "rank " + join(ranks),
        counted(count, "rank") + " of " + std::to_string(job_.ranks.size()) +
            (count == 1 ? " does nothing" : " do nothing"));
}

// Each program once, told by the first rank that runs it.
void Linter::check_cycles() {
  std::set<int> seen;
  for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank) {
    if (!seen.insert(job_.ranks[rank].program).second) continue;
    const std::string cycle = dependency_cycle(program_of(static_cast<int>(rank)));
    if (!cycle.empty())
      error("cycle", "rank " + std::to_string(rank), "operations wait in a circle: " + cycle);
  }
}

bool Linter::check_members(std::size_t g) {
  const ProcessGroup& group = job_.groups[g];
  for (const int rank : group.ranks) {
    if (rank < 0 || static_cast<std::size_t>(rank) >= job_.ranks.size()) {
      error("missing rank", "group " + name_of(group),
            "rank " + std::to_string(rank) + " is not among the job's " +
                counted(static_cast<std::int64_t>(job_.ranks.size()), "rank"));
      return false;
    }
    const std::vector<int>& known = job_.ranks[static_cast<std::size_t>(rank)].groups;
    const auto slot = static_cast<std::size_t>(group.slot);
    if (slot >= known.size() || known[slot] != static_cast<int>(g)) {
      error("missing rank", "group " + name_of(group),
            "rank " + std::to_string(rank) + " does not know that it is a member");
      return false;
    }
  }
  return true;
}

void Linter::check_operations() {
  std::set<int> seen;
  for (std::size_t r = 0; r < job_.ranks.size(); ++r) {
    const RankRole& role = job_.ranks[r];
    const bool fresh = seen.insert(role.program).second;
    const std::vector<Operation>& operations = program_of(static_cast<int>(r)).operations;
    for (std::size_t i = 0; i < operations.size(); ++i)
      if (operations[i].kind == Operation::Kind::Communicate)
        check_operation(role, static_cast<int>(r), static_cast<int>(i), fresh);
  }
}

// What is of the program and not of the rank is said of its first rank only: `fresh`.
void Linter::check_operation(const RankRole& role, int rank, int index, bool fresh) {
  const Operation& o = operation(rank, index);
  const auto slot = static_cast<std::size_t>(o.group);
  const int group = slot < role.groups.size() ? role.groups[slot] : -1;
  if (group < 0)
    error("missing rank", place_of_(rank, index),
          "rank " + std::to_string(rank) + " is not in the group that it communicates with");
  if (!fresh) return;
  if (o.size.count() == 0 && o.collective != CollectiveKind::Barrier)
    error("zero-size collective", place_of_(rank, index),
          std::string(to_string(o.collective)) + " of 0 B");
  if (group >= 0 && job_.groups[static_cast<std::size_t>(group)].ranks.size() == 1)
    findings_.push_back({Severity::Warning, "one rank", place_of_(rank, index),
                         std::string(to_string(o.collective)) + " over a group of one rank"});
}

std::vector<LintFinding> lint(const JobProgram& job, const PlaceOf& place_of) {
  return Linter(job, place_of).check();
}

std::vector<LintFinding> lint(const JobProgram& job) {
  return lint(job, [&](int rank, int index) {
    const Program& program =
        job.programs[static_cast<std::size_t>(job.ranks[static_cast<std::size_t>(rank)].program)];
    return "rank " + std::to_string(rank) + ", operation '" +
           program.operations[static_cast<std::size_t>(index)].name + "'";
  });
}

}  // namespace trainyard
