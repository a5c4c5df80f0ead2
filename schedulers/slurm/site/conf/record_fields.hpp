// The options of one line, asked for one by one; what nobody asked for is unknown.
#pragma once

#include "schedulers/slurm/site/conf/conf_lines.hpp"

#include <string>
#include <vector>

namespace trainyard::slurm {

class RecordFields {
public:
  explicit RecordFields(const ConfRecord& record)
      : record_(record), asked_(record.options.size(), 0) {}

  // The last option of that name, as Slurm takes it, or nullptr.
  const ConfOption* find(const std::string& key) {
    const ConfOption* found = nullptr;
    known_.push_back(key);
    for (std::size_t i = 0; i < record_.options.size(); ++i)
      if (same_key(record_.options[i].key, key)) asked_[i] = 1, found = &record_.options[i];
    return found;
  }

  // Names that may stand here and decide nothing.
  void ignore(const std::vector<std::string>& keys) {
    for (const std::string& key : keys) find(key);
  }

  // Refuses what nobody asked for.
  void finish() const;

private:
  const ConfRecord& record_;
  std::vector<char> asked_;
  std::vector<std::string> known_;
};

}  // namespace trainyard::slurm
