// A JobProgram: what all ranks of a job do in one step, and who communicates with whom.
//
// Ranks that do the same share a Program. An operation's `group` is a slot: an index into `slots`
// and, for each rank, into its RankRole::groups, which name the process group (PyTorch's word) it
// is in. Collectives of a process group match as NCCL matches them: the n-th of one member with the
// n-th of every other. A transfer from one rank to another is a SendRecv in a process group of two,
// whose first rank sends; it starts when both have come to it.
//
// INVARIANT (what the linter checks): every rank is in the process groups its role names; all
// members of a process group list equally many collectives on it, the n-th of each of equal kind
// and size; no Program has a dependency cycle.
#pragma once

#include "workload/program.hpp"

#include <string>
#include <vector>

namespace trainyard {

// Why ranks communicate: what exposed communication is called in a step's waterfall.
enum class Dimension { Tensor, Context, Expert, Data, Pipeline, Other };

struct GroupSlot {
  std::string name;  // "tp", "dp", "pp_forward_out", or a trace's own name
  Dimension dimension = Dimension::Other;
};

struct ProcessGroup {
  int slot = 0;
  std::vector<int> ranks;  // in the group's own rank order
};

struct RankRole {
  int program = 0;          // index into JobProgram::programs
  std::vector<int> groups;  // by slot: index into JobProgram::groups; -1: in none
};

struct JobProgram {
  std::vector<GroupSlot> slots;
  std::vector<ProcessGroup> groups;
  std::vector<Program> programs;
  std::vector<RankRole> ranks;  // by rank of the job
};

}  // namespace trainyard
