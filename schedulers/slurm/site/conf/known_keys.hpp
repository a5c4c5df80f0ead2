// The keys of slurm.conf that decide nothing here: those without bearing on decisions, and those
// whose effect is not modelled.
#pragma once

#include "schedulers/slurm/site/version.hpp"

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

// The first release that knows the key; 22.05 for all that is as old.
SlurmVersion known_since(const std::string& key);

// Appends every name, for suggestions.
void append_known_keys(std::vector<std::string>& names);

}  // namespace trainyard::slurm
