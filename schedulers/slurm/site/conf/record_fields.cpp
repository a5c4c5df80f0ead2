#include "schedulers/slurm/site/conf/record_fields.hpp"

#include "base/text.hpp"

namespace trainyard::slurm {

void RecordFields::finish() const {
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    const ConfOption& option = record_.options[i];
    if (asked_[i]) continue;
    const std::string near = near_match(option.key, known_);
    throw InputError(option.key_place, "",
                     "'" + printable(option.key) + "' does not belong to a line that begins with " +
                         record_.options.front().key +
                         (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
}

}  // namespace trainyard::slurm
