#include "schedulers/slurm/job/submit_text.hpp"

#include "base/text.hpp"
#include "schedulers/slurm/site/duration.hpp"

#include <algorithm>
#include <cctype>

namespace trainyard::slurm {

namespace {

std::optional<int> count_of(const std::string& text) {
  const auto value = parse_integer(text);
  if (!value || *value < 0 || *value >= kNoLimit) return {};
  return static_cast<int>(*value);
}

// "4", "0-7", "0-8:2"
bool add_tasks(const std::string& text, std::vector<int>& tasks) {
  const std::size_t colon = text.find(':');
  const std::size_t dash = text.find('-');
  const auto step =
      colon == std::string::npos ? std::optional<int>(1) : count_of(text.substr(colon + 1));
  const auto first = count_of(text.substr(0, std::min(dash, colon)));
  const auto last =
      dash == std::string::npos
          ? first
          : count_of(text.substr(dash + 1, colon == std::string::npos ? colon : colon - dash - 1));
  if (!first || !last || !step || *step == 0 || *last < *first || *last - *first > 1'000'000)
    return false;
  for (int task = *first; task <= *last; task += *step) tasks.push_back(task);
  return true;
}

struct TypeName {
  const char* name;
  DependencyType type;
};

constexpr TypeName kTypes[] = {
    {"after", DependencyType::After},
    {"afterany", DependencyType::AfterAny},
    {"afterok", DependencyType::AfterOk},
    {"afternotok", DependencyType::AfterNotOk},
    {"aftercorr", DependencyType::AfterCorresponding},
    {"singleton", DependencyType::Singleton},
};

// "afterok:{A}:{B}"
bool add_dependency(const std::string& text, SlurmJob& job) {
  const std::vector<std::string> parts = split(text, ':');
  const auto type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                 [&](const TypeName& row) { return row.name == parts.front(); });
  if (type == std::end(kTypes)) return false;
  if (type->type == DependencyType::Singleton) {
    job.dependencies.push_back({type->type, "", 0});
    return parts.size() == 1;
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Dependency dependency{type->type, parts[i], 0};
    const std::size_t plus = dependency.on.find('+');
    if (plus != std::string::npos) {
      const auto minutes = count_of(dependency.on.substr(plus + 1));
      if (!minutes) return false;
      dependency.minutes_after = *minutes;
      dependency.on.resize(plus);
    }
    if (dependency.on.size() > 2 && dependency.on.front() == '{' && dependency.on.back() == '}')
      dependency.on = dependency.on.substr(1, dependency.on.size() - 2);
    if (dependency.on.empty()) return false;
    job.dependencies.push_back(dependency);
  }
  return parts.size() > 1;
}

}  // namespace

bool parse_switches(const std::string& text, SlurmJob& job) {
  const std::size_t at = text.find('@');
  const auto leaves = count_of(text.substr(0, at));
  if (!leaves || *leaves < 1) return false;
  job.request.switches = *leaves;
  if (at == std::string::npos) return true;
  const auto seconds = parse_duration(text.substr(at + 1));
  if (seconds) job.switch_wait = static_cast<int>(*seconds);
  return seconds.has_value();
}

bool parse_signal(const std::string& text, SlurmJob& job) {
  constexpr int kMost = 65535;
  WarningSignal signal;
  std::string rest = text;
  if (rest.rfind("B:", 0) == 0) signal.to_batch_script = true, rest = rest.substr(2);
  const std::size_t at = rest.find('@');
  signal.name = rest.substr(0, at);
  if (signal.name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != std::string::npos)
    return false;  // "R:" among them: reservations with MaxStartDelay are not modelled
  if (at != std::string::npos) {
    const auto seconds = count_of(rest.substr(at + 1));
    if (!seconds || *seconds > kMost) return false;
    signal.seconds = *seconds;
  }
  job.signal = signal;
  return !signal.name.empty();
}

bool parse_array(const std::string& text, SlurmJob& job) {
  const std::size_t percent = text.find('%');
  if (percent != std::string::npos) {
    const auto at_once = count_of(text.substr(percent + 1));
    if (!at_once || *at_once < 1) return false;
    job.array_at_once = *at_once;
  }
  for (const std::string& part : split(text.substr(0, percent), ','))
    if (!add_tasks(part, job.array)) return false;
  return true;
}

bool parse_dependencies(const std::string& text, SlurmJob& job) {
  job.any_dependency = text.find('?') != std::string::npos;
  for (const std::string& part : split(text, job.any_dependency ? '?' : ','))
    if (!add_dependency(part, job)) return false;
  return true;
}

}  // namespace trainyard::slurm
