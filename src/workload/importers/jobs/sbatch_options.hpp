// The options of sbatch, in all their spellings, as one list; and the numbers a job is made of.
#pragma once

#include "base/error.hpp"

#include <map>
#include <optional>
#include <string>

namespace trainyard {

// By long name; "" for one that takes no value. Options that say nothing of scheduling are left
// out.
using SbatchOptions = std::map<std::string, std::string>;

// Adds those of one line: "-N 2 --gres=gpu:8 --time 1:00:00". Throws InputError at `place` for what
// is unknown.
void add_sbatch_options(const std::string& line, const Place& place, SbatchOptions& options);

// "--nodes=2 --gres=gpu:8 ..."
std::string text_of(const SbatchOptions& options);

// All GPUs that are asked for; 0: none.
int gpus_of(const SbatchOptions& options);

// "90", "5:30", "1:00:00", "2-12", "2-12:30": seconds; nothing for what is no time.
std::optional<double> slurm_time(const std::string& text);

}  // namespace trainyard
