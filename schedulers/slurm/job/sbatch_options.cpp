#include "schedulers/slurm/job/sbatch_options.hpp"

#include "base/text.hpp"
#include "schedulers/slurm/job/submit_text.hpp"
#include "schedulers/slurm/site/duration.hpp"

#include <algorithm>
#include <cctype>

namespace trainyard::slurm {

namespace {

using Text = const std::string&;

std::optional<int> count_of(Text text) {
  const auto value = parse_integer(text);
  if (!value || *value < 0 || *value >= kNoLimit) return {};
  return static_cast<int>(*value);
}

// The number after the last ':': "8", "h100:8", "gpu:h100:8".
std::optional<int> gpus_of(Text text) {
  const std::size_t colon = text.rfind(':');
  return count_of(colon == std::string::npos ? text : text.substr(colon + 1));
}

bool take_nodes(Text value, Request& request) {
  const std::size_t dash = value.find('-');
  const auto least = count_of(value.substr(0, dash));
  const auto most = dash == std::string::npos ? least : count_of(value.substr(dash + 1));
  if (!least || !most || *least < 1 || *most < *least) return false;
  request.min_nodes = *least;
  request.max_nodes = request.wanted_nodes = *most;
  return true;
}

// "512", "4G": in MB.
std::optional<long> memory_of(Text text) {
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

std::optional<int> minutes_of(Text text) {
  const auto seconds = parse_duration(text);
  if (!seconds) return {};
  return static_cast<int>((*seconds + 59) / 60);
}

bool take_segment(Text value, Request& request) {
  return assign(request.segment, count_of(value)) && request.segment > 0;
}

struct OptionRow {
  const char* name;
  const char* letter;  // "": none
  bool (*take)(Text value, SlurmJob& job);
  SlurmVersion since = kSlurm2205;
};

const OptionRow kOptions[] = {
    {"nodes", "N", [](Text v, SlurmJob& j) { return take_nodes(v, j.request); }},
    {"ntasks", "n", [](Text v, SlurmJob& j) { return assign(j.request.tasks, count_of(v)); }},
    {"ntasks-per-node", "",
     [](Text v, SlurmJob& j) { return assign(j.request.tasks_per_node, count_of(v)); }},
    {"cpus-per-task", "c",
     [](Text v, SlurmJob& j) { return assign(j.request.cpus_per_task, count_of(v)); }},
    {"gpus", "G", [](Text v, SlurmJob& j) { return assign(j.request.gpus_total, gpus_of(v)); }},
    {"gpus-per-node", "",
     [](Text v, SlurmJob& j) { return assign(j.request.gpus_per_node, gpus_of(v)); }},
    {"gres", "",
     [](Text v, SlurmJob& j) {
       return v.rfind("gpu", 0) == 0 && assign(j.request.gpus_per_node, gpus_of(v));
     }},
    {"mem", "",
     [](Text v, SlurmJob& j) { return assign(j.request.memory_per_node, memory_of(v)); }},
    {"mem-per-cpu", "",
     [](Text v, SlurmJob& j) { return assign(j.request.memory_per_cpu, memory_of(v)); }},
    {"exclusive=topo",
     "",
     [](Text, SlurmJob& j) { return j.request.exclusive_topology = true; },
     {24, 5}},
    {"exclusive", "", [](Text v, SlurmJob& j) { return j.request.exclusive = v.empty(); }},
    {"contiguous", "", [](Text, SlurmJob& j) { return j.request.contiguous = true; }},
    {"spread-job", "", [](Text, SlurmJob& j) { return j.request.spread = true; }},
    {"segment", "", [](Text v, SlurmJob& j) { return take_segment(v, j.request); }, {24, 5}},
    {"consolidate-segments",
     "",
     [](Text, SlurmJob& j) { return j.request.consolidate_segments = true; },
     {25, 11}},
    {"spread-segments",
     "",
     [](Text, SlurmJob& j) { return j.request.spread_segments = true; },
     {25, 11}},
    {"no-kill", "k", [](Text, SlurmJob& j) { return j.no_kill = true; }},
    {"requeue", "", [](Text, SlurmJob& j) { return j.requeue = true, true; }},
    {"no-requeue", "", [](Text, SlurmJob& j) { return j.requeue = false, true; }},
    {"hold", "H", [](Text, SlurmJob& j) { return j.hold = true; }},
    {"switches", "", [](Text v, SlurmJob& j) { return parse_switches(v, j); }},
    {"array", "a", [](Text v, SlurmJob& j) { return parse_array(v, j); }},
    {"signal", "", [](Text v, SlurmJob& j) { return parse_signal(v, j); }},
    {"reservation", "", [](Text v, SlurmJob& j) { return j.reservation = v, true; }},
    {"job-name", "J", [](Text v, SlurmJob& j) { return j.job_name = v, true; }},
    {"nice", "",
     [](Text v, SlurmJob& j) {
       return assign(j.nice, v.empty() ? std::optional<double>(100) : parse_double(v));
     }},
    {"time", "t", [](Text v, SlurmJob& j) { return (j.time_limit = minutes_of(v)).has_value(); }},
    {"time-min", "", [](Text v, SlurmJob& j) { return assign(j.time_min, minutes_of(v)); }},
};

struct RefusedRow {
  const char* name;
  const char* why;
};

constexpr RefusedRow kRefused[] = {
    {"het-group", "heterogeneous jobs are not modelled; submit their components as jobs"},
    {"hetjob", "heterogeneous jobs are not modelled; submit their components as jobs"},
    {"packjob", "heterogeneous jobs are not modelled; submit their components as jobs"},
    {"pack-group", "heterogeneous jobs are not modelled; submit their components as jobs"},
    {"prefer", "preferred features are not modelled; --constraint is"},
    {"licenses", "licenses are not modelled"},
    {"L", "licenses are not modelled"},
};

std::string quoted(Text text) { return "'" + printable(text) + "'"; }

std::string unknown(Text word, Text name) {
  for (const RefusedRow& row : kRefused)
    if (name == row.name) return quoted(word) + ": " + row.why;
  std::vector<std::string> known;
  for (const OptionRow& row : kOptions) known.emplace_back(row.name);
  return quoted(word) + " is not understood" + suggestion(name, known);
}

std::string take_option(Text word, const SlurmVersion& version, SlurmJob& job) {
  if (word == ":") return "':' joins the parts of a heterogeneous job, which is not modelled";
  const std::size_t begin = word.find_first_not_of('-');
  if (begin == 0 || begin == std::string::npos) return quoted(word) + " is no option";
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string name = word.substr(begin, equals - begin);
  const std::string value = word.substr(std::min(equals + 1, word.size()));
  if (name == "constraint" || name == "C") {
    const std::string problem = parse_constraint(value, job.request.constraint);
    return problem.empty() ? "" : quoted(word) + ": " + problem;
  }
  const auto row = std::find_if(std::begin(kOptions), std::end(kOptions), [&](const auto& each) {
    return name == each.name || name + "=" + value == each.name ||
           (name.size() == 1 && name == each.letter);
  });
  if (row == std::end(kOptions)) return unknown(word, name);
  if (!row->take(value, job)) return quoted(word) + " is not understood";
  if (version >= row->since) return "";
  return quoted(word) + " came with Slurm " + to_string(row->since) + "; slurm_version is " +
         to_string(version);
}

}  // namespace

std::string take_options(const std::string& text, const SlurmVersion& version, SlurmJob& job) {
  for (const std::string& word : split(text, ' ')) {
    if (trim(word).empty()) continue;
    if (std::string problem = take_option(word, version, job); !problem.empty()) return problem;
  }
  return "";
}

}  // namespace trainyard::slurm
