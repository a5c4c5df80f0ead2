// Gavel's table of measured throughputs: {kind of GPU: {"('job type', GPUs)": {"null": steps/s}}}.
// Only jobs that have their GPUs to themselves are looked at.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace trainyard {

class Throughputs {
public:
  // Throws InputError if the file is no such table or does not know the kind of GPU.
  Throughputs(const std::string& file, const std::string& worker);

  // Steps per second; nothing if it was not measured or the job did not run there.
  std::optional<double> steps_per_second(const std::string& job_type, int gpus) const;

private:
  std::map<std::pair<std::string, int>, double> measured_;
};

}  // namespace trainyard
