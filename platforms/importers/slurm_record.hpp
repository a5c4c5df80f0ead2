// The lines of Slurm's configuration files: records of Key=Value.
//
// Keys in any case, '#' begins a comment, a backslash at the end of a line continues the record.
// Unknown keys, keys without a value and keys given twice are errors.
#pragma once

#include "base/error.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct SlurmOption {
  std::string key;  // as the caller's list spells it
  std::string value;
  Place key_place, value_place;
};

struct SlurmRecord {
  std::vector<SlurmOption> options;  // in the order of the file; at least one

  const SlurmOption* find(const std::string& key) const;
};

std::vector<SlurmRecord> read_slurm_records(const std::string& file, const std::string& text,
                                            const std::vector<std::string>& keys);

// The names of an option that is a hostlist; an error stands at the very character.
std::vector<std::string> hostlist_of(const SlurmOption& option);

}  // namespace trainyard
