// The linter's parts: the rules (lint.cpp) and the matching of a group's members (matching.cpp).
#pragma once

#include "workload/lint/lint.hpp"

#include <string>
#include <vector>

namespace trainyard {

class Linter {
public:
  Linter(const JobProgram& job, const PlaceOf& place_of);
  std::vector<LintFinding> check();

private:
  void error(const std::string& rule, const std::string& place, const std::string& problem);
  const Program& program_of(int rank) const;
  // What the rank lists on the slot, by index into its program.
  const std::vector<int>& listed(int rank, int slot) const;
  const Operation& operation(int rank, int index) const;
  bool idle(int rank) const { return program_of(rank).operations.empty(); }
  std::string name_of(const ProcessGroup& group) const;

  void check_idle();
  void check_cycles();
  bool check_members(std::size_t group);
  void check_operations();
  void check_operation(const RankRole& role, int rank, int index, bool fresh);

  void check_matching(const ProcessGroup& group);
  bool match(const ProcessGroup& group, int a, int b);
  bool match_counts(const ProcessGroup& group, int a, int b);
  bool in_another_order(const ProcessGroup& group, int a, int b) const;

  const JobProgram& job_;
  const PlaceOf& place_of_;
  std::vector<std::vector<std::vector<int>>> listed_;  // [program][slot]: communications, in order
  std::vector<LintFinding> findings_;
};

}  // namespace trainyard
