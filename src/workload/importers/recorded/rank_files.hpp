// Which file is which rank's.
//
// A path is a file, a folder, or what the files' names begin with (trace for trace.0.et,
// trace.1.et). A rank is the last number of a file's name, its suffixes aside; a lone file without
// a number is rank 0. Files whose names differ in more than the number are not one trace: an error.
#pragma once

#include "workload/steps/kernel.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct RecordedOptions {
  std::vector<std::string> files;        // paths as above
  int ranks = 0;                         // of the job; 0: as many as the files say
  std::string groups;                    // a file that says who is in which group; none if empty
  const KernelTimes* kernels = nullptr;  // times computations of which only the work is known
};

struct RankFile {
  int rank = 0;
  std::string file;
};

// By rank, each rank once.
std::vector<RankFile> rank_files(const std::vector<std::string>& paths);

// As they are named, in natural order: of formats that hold all ranks, or say their rank inside.
std::vector<std::string> named_files(const std::vector<std::string>& paths);

}  // namespace trainyard
