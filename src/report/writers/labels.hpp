// What the files call things: jobs by name, sets of nodes and GPUs as interval sets.
#pragma once

#include "platforms/platform.hpp"
#include "report/event_log.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

// By JobId: the job's name; "job-<id>" if it has none, "<name>@<id>" if an earlier job of the same
// workload has that name already. So (workload, label) is unique, and each label is a valid text.
std::vector<std::string> job_labels(const EventLog& log);

// Batsim's notation: closed intervals, ascending and disjoint: "0-4 6". Duplicates count once.
std::string interval_set(std::vector<std::int32_t> numbers);

std::vector<std::int32_t> gpu_numbers(const Allocation& allocation);
// The nodes that the allocation touches, each once, ascending.
std::vector<std::int32_t> node_numbers(const Platform& platform, const Allocation& allocation);

}  // namespace trainyard
