// The lines of Slurm's configuration files as records of Key=Value, with their places.
//
// '#' begins a comment, a backslash at the end continues the line, a value may stand in quotes, and
// "Include file" puts another file's lines in its place (relative to the including file).
#pragma once

#include "base/error.hpp"

#include <string>
#include <vector>

namespace trainyard::slurm {

struct ConfOption {
  std::string key, value;
  Place key_place, value_place;
};

struct ConfRecord {
  std::vector<ConfOption> options;  // at least one
};

std::vector<ConfRecord> read_conf_file(const std::string& file);
std::vector<ConfRecord> parse_conf(const std::string& file, const std::string& text);

// An error at the option's value.
InputError value_error(const ConfOption& option, const std::string& problem);

bool same_key(const std::string& a, const std::string& b);  // but for case

// Values as Slurm writes them; each throws at the value's place.
int int_of(const ConfOption& option, int least = 0);
int count_or_unlimited(const ConfOption& option);  // UNLIMITED, INFINITE
int minutes_of(const ConfOption& option);          // "30", "1:00:00", "7-0", INFINITE
int seconds_of(const ConfOption& option);          // the same, in seconds
double double_of(const ConfOption& option);
bool yes_of(const ConfOption& option);  // YES, NO, 1, 0
std::vector<std::string> hosts_of(const ConfOption& option);
std::vector<std::string> words_of(const ConfOption& option);  // between commas

}  // namespace trainyard::slurm
