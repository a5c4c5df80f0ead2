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

// The number after the last ':': "8", "h100:8", "gpu:h100:8".
std::optional<int> gpus_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  return count_of(colon == std::string::npos ? text : text.substr(colon + 1));
}

bool take_nodes(const std::string& value, Request& request) {
  const std::size_t dash = value.find('-');
  const auto least = count_of(value.substr(0, dash));
  const auto most = dash == std::string::npos ? least : count_of(value.substr(dash + 1));
  if (!least || !most || *least < 1 || *most < *least) return false;
  request.min_nodes = *least;
  request.max_nodes = request.wanted_nodes = *most;
  return true;
}

// "512", "4G": in MB.
std::optional<long> memory_of(const std::string& text) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  const auto value = parse_integer(text.substr(0, digits));
  if (!value) return {};
  if (digits == std::string::npos) return static_cast<long>(*value);
  switch (std::toupper(static_cast<unsigned char>(text[digits]))) {
    case 'K':
      return static_cast<long>(*value / 1024);
    case 'M':
      return static_cast<long>(*value);
    case 'G':
      return static_cast<long>(*value * 1024);
    case 'T':
      return static_cast<long>(*value * 1024 * 1024);
    default:
      return {};
  }
}

template <class T>
bool assign(T& member, const std::optional<T>& value) {
  if (value) member = *value;
  return value.has_value();
}

// Whether the option is known and its value understood.
bool take_option(const std::string& name, const std::string& value, SlurmJob& job) {
  Request& request = job.request;
  if (name == "nodes" || name == "N") return take_nodes(value, request);
  if (name == "ntasks" || name == "n") return assign(request.tasks, count_of(value));
  if (name == "ntasks-per-node") return assign(request.tasks_per_node, count_of(value));
  if (name == "cpus-per-task" || name == "c") return assign(request.cpus_per_task, count_of(value));
  if (name == "gpus" || name == "G") return assign(request.gpus_total, gpus_of(value));
  if (name == "gpus-per-node") return assign(request.gpus_per_node, gpus_of(value));
  if (name == "gres")
    return value.rfind("gpu", 0) == 0 && assign(request.gpus_per_node, gpus_of(value));
  if (name == "mem") return assign(request.memory_per_node, memory_of(value));
  if (name == "mem-per-cpu") return assign(request.memory_per_cpu, memory_of(value));
  if (name == "exclusive") return request.exclusive = true;
  if (name == "contiguous") return request.contiguous = true;
  if (name == "spread-job") return request.spread = true;
  if (name == "no-kill" || name == "k") return job.no_kill = true;
  if (name == "requeue") return job.requeue = true, true;
  if (name == "no-requeue") return job.requeue = false, true;
  if (name == "hold" || name == "H") return job.hold = true;
  if (name == "constraint" || name == "C") return request.features = split(value, '&'), true;
  if (name == "switches") return parse_switches(value, job);
  if (name == "array" || name == "a") return parse_array(value, job);
  if (name == "reservation") return job.reservation = value, true;
  if (name == "job-name" || name == "J") return job.job_name = value, true;
  if (name == "nice")
    return assign(job.nice, value.empty() ? std::optional<double>(100) : parse_double(value));
  if (name == "time" || name == "t" || name == "time-min") {
    const auto seconds = parse_duration(value);
    if (!seconds) return false;
    const int minutes = static_cast<int>((*seconds + 59) / 60);
    name == "time-min" ? job.time_min = minutes : (job.time_limit = minutes, minutes);
    return true;
  }
  return false;
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

std::string take_options(const std::string& text, SlurmJob& job) {
  for (const std::string& word : split(text, ' ')) {
    if (trim(word).empty()) continue;
    const std::size_t begin = word.find_first_not_of('-');
    if (begin == 0 || begin == std::string::npos) return "'" + printable(word) + "' is no option";
    const std::size_t equals = word.find('=');
    const std::string name =
        word.substr(begin, equals == std::string::npos ? equals : equals - begin);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (!take_option(name, value, job)) return "'" + printable(word) + "' is not understood";
  }
  return "";
}

}  // namespace trainyard::slurm
