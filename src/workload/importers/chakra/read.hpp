// Chakra execution traces: .et files (Protocol Buffers, plain or gzip) and their JSON form
// ("workload_graph"), one file a rank.
//
// A send does not wait for its receiver, as ASTRA-sim plays it.
//
// Groups that nodes refer to by name come from a file ({"name": [ranks]}), or from the trace's own
// process_group nodes.
#pragma once

#include "workload/importers/recorded/rank_files.hpp"
#include "workload/importers/recorded/recorded_step.hpp"

namespace trainyard {

RecordedStep read_chakra(const RecordedOptions& options);
RecordedStep read_chakra_json(const RecordedOptions& options);

// Whether the file is binary: every other format of traces is text.
bool is_chakra_et(const std::string& file);

}  // namespace trainyard
