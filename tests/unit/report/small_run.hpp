// A run small enough to compute by hand, and the means to read back what was written.
//
// Four nodes of two GPUs, 100 s, 800 GPU-seconds:
//   alpha   4 GPUs on nodes 0 and 1, from 10 to 60 s, completes
//   beta    2 GPUs; node 2 from 5 s until it fails at 25 s; again on node 3 from 40 to 80 s
//   gamma   8 GPUs, submitted at 50 s, never starts
//   node 2  down from 25 to 90 s
#pragma once

#include "platforms/platform.hpp"
#include "report/event_log.hpp"
#include "report/results.hpp"
#include "report/writers/writers.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

Platform nodes_of_gpus(int nodes, int gpus_per_node);
Platform small_platform();
EventLog small_log();
RunInfo small_info();

std::string written(void (*writer)(const Report&, std::ostream&), const Platform& platform,
                    const EventLog& log);

// The rows of a CSV text by column name; RFC 4180 quoting is undone.
std::vector<std::map<std::string, std::string>> read_csv(const std::string& text);

std::string read_file(const std::filesystem::path& file);

// An empty directory that goes away with the object.
class ScratchDirectory {
public:
  ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory();
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  bool is_empty() const { return std::filesystem::is_empty(path_); }

private:
  std::filesystem::path path_;
};

}  // namespace trainyard
