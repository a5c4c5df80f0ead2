#include "schedulers/slurm/site/duration.hpp"

#include "base/text.hpp"

#include <string>
#include <vector>

namespace trainyard::slurm {

std::optional<std::int64_t> parse_duration(std::string_view text) {
  std::int64_t days = 0;
  const std::size_t dash = text.find('-');
  if (dash != std::string_view::npos) {
    const auto value = parse_integer(text.substr(0, dash));
    if (!value || *value < 0) return {};
    days = *value;
    text = text.substr(dash + 1);
  }
  std::vector<std::int64_t> parts;
  for (const std::string& part : split(text, ':')) {
    const auto value = parse_integer(part);
    if (!value || *value < 0) return {};
    parts.push_back(*value);
  }
  if (parts.empty() || parts.size() > 3) return {};
  // After days the first part is hours; without days one part is minutes, two are minutes:seconds.
  std::int64_t unit = dash != std::string_view::npos || parts.size() == 3 ? 3600 : 60;
  std::int64_t seconds = days * 24 * 3600;
  for (const std::int64_t part : parts) {
    seconds += part * unit;
    unit /= 60;
  }
  return seconds;
}

}  // namespace trainyard::slurm
