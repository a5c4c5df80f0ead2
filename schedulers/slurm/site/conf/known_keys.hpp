// The keys of slurm.conf that decide nothing here: those without bearing on decisions, and those
// whose effect is not modelled.
#pragma once

#include <string>
#include <vector>

namespace trainyard::slurm {

struct UnmodelledKey {
  const char* key;
  const char* effect;  // what it would change
};

// nullptr if `key` is none of them.
const UnmodelledKey* unmodelled_key(const std::string& key);

// Paths, ports, logs, authentication: nothing that a scheduler decides depends on them.
bool has_no_bearing(const std::string& key);

// Keys that Slurm 22.05 does not know.
bool newer_than_22_05(const std::string& key);

// Appends every name, for suggestions.
void append_known_keys(std::vector<std::string>& names);

}  // namespace trainyard::slurm
