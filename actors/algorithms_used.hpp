// Which algorithms the collectives of all jobs were played by, and who chose them: for the summary.
#pragma once

#include "actors/step_model.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace trainyard {

class AlgorithmsUsed {
public:
  void note(const StepModel& model);

  // "all_reduce: nvls_tree (NCCL's tuner), 4 MiB to 100 MiB over 8 to 32 ranks", in order.
  std::vector<std::string> sentences() const;

private:
  struct Range {
    Bytes smallest, largest;
    int fewest = 0, most = 0;  // ranks
  };
  void note(const Channel& channel);

  std::map<std::tuple<CollectiveKind, std::string, ChosenBy>, Range> used_;
};

}  // namespace trainyard
