// A release of Slurm. Where releases decide differently, the one that is said decides.
#pragma once

#include <string>

namespace trainyard::slurm {

struct SlurmVersion {
  int year = 22, month = 5;
};

constexpr SlurmVersion kSlurm2205{22, 5};  // the release that golden decisions come from

constexpr bool operator<(const SlurmVersion& a, const SlurmVersion& b) {
  return a.year != b.year ? a.year < b.year : a.month < b.month;
}
constexpr bool operator>=(const SlurmVersion& a, const SlurmVersion& b) { return !(a < b); }

inline std::string to_string(const SlurmVersion& version) {
  return std::to_string(version.year) + (version.month < 10 ? ".0" : ".") +
         std::to_string(version.month);
}

}  // namespace trainyard::slurm
