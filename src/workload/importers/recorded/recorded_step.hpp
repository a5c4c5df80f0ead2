// One step of a job as somebody recorded or wrote it down: what every reader of traces yields.
//
// Ranks are by number; one whose file is absent has no file name and no operations. An operation's
// `group` is an index into `groups`; what it waits for is by index, as in a Program. Where each
// operation stands in its file is kept, so that whatever is wrong can be pointed at.
#pragma once

#include "workload/lint/finding.hpp"
#include "workload/steps/job_program.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace trainyard {

struct RecordedGroup {
  std::string name;        // the trace's own
  std::vector<int> ranks;  // of a transfer: from, to
  std::int64_t tag = 0;    // of a transfer
  bool transfer = false;   // one rank to another: its operations are SendRecvs
};

struct RecordedOperation {
  Operation operation;
  std::int64_t place = 0;   // line, node or event, by `RecordedStep::unit`
  Seconds start, duration;  // when it ran, as recorded; 0 and 0 if the trace does not say
};

struct RecordedRank {
  std::string file;  // "": absent
  std::vector<RecordedOperation> operations;
};

struct RecordedStep {
  std::string format;  // as the registry names it
  std::string unit;    // what places count: "line", "node", "event"
  std::vector<RecordedRank> ranks;
  std::vector<RecordedGroup> groups;
  std::vector<std::string> notes;     // what was understood, and what was left out
  std::vector<LintFinding> findings;  // what the reader found wrong and could live with
  // A step written down for all ranks at once is a job already (see write_for_all): then `groups`
  // is empty, and only the first rank of each program has operations.
  std::optional<JobProgram> written;

  std::string place_of(const RecordedRank& rank, std::size_t operation) const;
};

// The groups of a step, each once.
class RecordedGroups {
public:
  explicit RecordedGroups(RecordedStep& step) : step_(step) {}
  int of(const std::string& name, const std::vector<int>& ranks);
  int transfer(int from, int to, std::int64_t tag);

private:
  RecordedStep& step_;
  std::map<std::pair<std::string, std::vector<int>>, int> by_ranks_;
  std::map<std::tuple<int, int, std::int64_t>, int> by_ends_;
};

// All ranks of `job`, whose `group`s are its slots, run one program of these operations.
void write_for_all(RecordedStep& step, JobProgram job, const std::string& file,
                   std::vector<RecordedOperation> operations);

// A file and a number in it: "file:12" of a line, "file: node 12" of anything else.
std::string recorded_place(const std::string& file, const std::string& unit, std::int64_t number);

// The dimension that a group's name hints at: "TENSOR_MODEL_PARALLEL_GROUP", "tp", "dp_group" ...
Dimension dimension_named(const std::string& name);

}  // namespace trainyard
