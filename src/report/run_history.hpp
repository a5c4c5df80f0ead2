// decisions.jsonl of a result directory, read back: the life of every job, and the cluster at a
// time.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace trainyard {

struct HistoryRow {
  double at = 0;
  std::string job, event, reason, by, factors, ahead, sbatch;
  double priority = 0;
  int gpus = 0;                 // of a submission
  double limit = -1;            // likewise, seconds; -1: none
  std::vector<std::string> on;  // of a start: "node0:0-7"
};

struct RunHistory {
  std::vector<std::pair<std::string, int>> nodes;  // name, GPUs
  std::vector<HistoryRow> rows;
};

// Throws InputError if the directory holds no results, or a line of the file is not as written.
RunHistory read_run_history(const std::string& directory);

// A job as squeue would show it.
struct JobNow {
  HistoryRow submitted;
  std::string state = "PENDING", reason;  // "": it is over
  double since = 0;                       // it started
  double priority = 0;
  std::vector<std::string> on;
  bool shown() const { return !state.empty(); }
};

struct ClusterNow {
  std::map<std::string, JobNow> jobs;         // by name, those that were submitted
  std::map<std::string, std::string> closed;  // nodes that take no job: "down" or "drained"
  std::map<std::string, int> used;            // GPUs by node
};

// After everything that happened until `time`.
ClusterNow cluster_at(const RunHistory& history, double time);

int gpus_at(const std::string& place);          // "node0:0-7": 8
std::string node_at(const std::string& place);  // "node0"

}  // namespace trainyard
