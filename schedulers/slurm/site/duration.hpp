// Slurm's times: "30" (minutes), "30:00", "1:00:00", "7-0", "1-12:30", "1-12:30:00".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard::slurm {

// In seconds, or nothing if the text is no such time.
std::optional<std::int64_t> parse_duration(std::string_view text);

}  // namespace trainyard::slurm
