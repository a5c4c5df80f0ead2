// SimAI's workload text as plain data.
#pragma once

#include "base/error.hpp"
#include "workload/importers/simai/layout.hpp"

#include <optional>
#include <string>
#include <vector>

namespace trainyard {

struct SimaiPart {
  Seconds compute;
  std::optional<CollectiveKind> collective;
  int slot = 0;  // LaidOut
  Bytes size;
};

struct SimaiRow {
  std::string name;
  int line = 0;
  SimaiPart forward, input_gradient, weight_gradient;
  Seconds update;
};

struct SimaiWorkload {
  ParallelSizes sizes;   // ranks: 0 if the file does not say
  int accumulation = 1;  // ga
  int interleaving = 1;  // vpp
  int checkpoints = 0;
  std::optional<Bytes> pipeline_bytes;  // pp_comm
  std::vector<SimaiRow> rows;
};

SimaiWorkload read_simai_rows(const std::string& file);

}  // namespace trainyard
