#include "workload/lint/lint.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <set>

namespace trainyard {

namespace {

using Severity = LintFinding::Severity;

constexpr std::size_t kShown = 4;  // ranks of a list

class Linter {
public:
  Linter(const JobProgram& job, const PlaceOf& place_of)
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

  std::vector<LintFinding> check() {
    check_idle();
    check_cycles();
    for (std::size_t g = 0; g < job_.groups.size(); ++g)
      if (check_members(g)) check_matching(job_.groups[g]);
    check_operations();
    return std::move(findings_);
  }

private:
  void error(const std::string& rule, const std::string& place, const std::string& problem) {
    findings_.push_back({Severity::Error, rule, place, problem});
  }

  const Program& program_of(int rank) const {
    return job_
        .programs[static_cast<std::size_t>(job_.ranks[static_cast<std::size_t>(rank)].program)];
  }

  // What the rank lists on the slot, by index into its program.
  const std::vector<int>& listed(int rank, int slot) const {
    const auto program =
        static_cast<std::size_t>(job_.ranks[static_cast<std::size_t>(rank)].program);
    return listed_[program][static_cast<std::size_t>(slot)];
  }

  const Operation& operation(int rank, int index) const {
    return program_of(rank).operations[static_cast<std::size_t>(index)];
  }

  bool idle(int rank) const { return program_of(rank).operations.empty(); }

  // A rank that does nothing at all is said once, not at every group that waits for it.
  void check_idle() {
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
  void check_cycles() {
    std::set<int> seen;
    for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank) {
      if (!seen.insert(job_.ranks[rank].program).second) continue;
      const std::string cycle = dependency_cycle(program_of(static_cast<int>(rank)));
      if (!cycle.empty())
        error("cycle", "rank " + std::to_string(rank), "operations wait in a circle: " + cycle);
    }
  }

  std::string name_of(const ProcessGroup& group) const {
    return "'" + job_.slots[static_cast<std::size_t>(group.slot)].name + "' (ranks " +
           ranks_of(group) + ")";
  }

  static std::string ranks_of(const ProcessGroup& group) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(kShown, group.ranks.size()); ++i)
      names.push_back(std::to_string(group.ranks[i]));
    if (group.ranks.size() > kShown)
      names.emplace_back("... " + std::to_string(group.ranks.back()));
    return join(names);
  }

  bool check_members(std::size_t g) {
    const ProcessGroup& group = job_.groups[g];
    for (const int rank : group.ranks) {
      const bool exists = rank >= 0 && static_cast<std::size_t>(rank) < job_.ranks.size();
      if (!exists) {
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

  void check_matching(const ProcessGroup& group) {
    const auto is_busy = [&](int rank) { return !idle(rank); };
    const auto first = std::find_if(group.ranks.begin(), group.ranks.end(), is_busy);
    for (auto rank = first; rank != group.ranks.end(); ++rank)
      if (rank != first && !idle(*rank) && !match(group, *first, *rank)) return;  // once is enough
  }

  static bool alike(const Operation& a, const Operation& b) {
    return a.collective == b.collective && a.size == b.size;
  }

  static std::string described(const Operation& o) {
    return std::string(to_string(o.collective)) + " of " + std::to_string(o.size.count()) + " B";
  }

  bool match(const ProcessGroup& group, int a, int b) {
    if (job_.ranks[static_cast<std::size_t>(a)].program ==
        job_.ranks[static_cast<std::size_t>(b)].program)
      return true;
    const std::vector<int>& of_a = listed(a, group.slot);
    const std::vector<int>& of_b = listed(b, group.slot);
    const std::size_t both = std::min(of_a.size(), of_b.size());
    for (std::size_t i = 0; i < both; ++i) {
      const Operation& left = operation(a, of_a[i]);
      const Operation& right = operation(b, of_b[i]);
      if (alike(left, right)) continue;
      error(in_another_order(group, a, b) ? "order of collectives" : "mismatched collectives",
            place_of_(b, of_b[i]),
            "number " + std::to_string(i + 1) + " of rank " + std::to_string(b) + " on " +
                name_of(group) + " is " + described(right) + ", of rank " + std::to_string(a) +
                " " + described(left) + " (" + place_of_(a, of_a[i]) + ")");
      return false;
    }
    if (of_a.size() == of_b.size()) return true;
    const int more = of_a.size() > of_b.size() ? a : b;
    const std::vector<int>& longer = more == a ? of_a : of_b;
    const bool transfer = operation(more, longer.front()).collective == CollectiveKind::SendRecv;
    error(transfer ? "unmatched transfer" : "mismatched collectives", place_of_(more, longer[both]),
          "rank " + std::to_string(more) + " lists " + std::to_string(longer.size()) + " on " +
              name_of(group) + ", rank " + std::to_string(more == a ? b : a) + " only " +
              std::to_string(both) + ": this one waits for ever");
    return false;
  }

  // The same collectives, but not one by one.
  bool in_another_order(const ProcessGroup& group, int a, int b) const {
    const auto sorted = [&](int rank) {
      std::vector<std::pair<CollectiveKind, std::int64_t>> result;
      for (const int i : listed(rank, group.slot))
        result.emplace_back(operation(rank, i).collective, operation(rank, i).size.count());
      std::sort(result.begin(), result.end());
      return result;
    };
    return sorted(a) == sorted(b);
  }

  void check_operations() {
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

  void check_operation(const RankRole& role, int rank, int index, bool fresh) {
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

  const JobProgram& job_;
  const PlaceOf& place_of_;
  std::vector<std::vector<std::vector<int>>> listed_;  // [program][slot]: communications, in order
  std::vector<LintFinding> findings_;
};

}  // namespace

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
