#include "workload/importers/jobs/sbatch_options.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <sstream>
#include <vector>

namespace trainyard {

namespace {

enum class Value : char { Needed, None, Optional };

struct Option {
  const char* name;
  char letter;  // ' ': none
  Value value;
  bool schedules;  // false: it says nothing of scheduling
};

constexpr Option kOptions[] = {
    {"nodes", 'N', Value::Needed, true},
    {"ntasks", 'n', Value::Needed, true},
    {"ntasks-per-node", ' ', Value::Needed, true},
    {"cpus-per-task", 'c', Value::Needed, true},
    {"gpus", 'G', Value::Needed, true},
    {"gpus-per-node", ' ', Value::Needed, true},
    {"gpus-per-task", ' ', Value::Needed, true},
    {"gres", ' ', Value::Needed, true},
    {"mem", ' ', Value::Needed, true},
    {"mem-per-cpu", ' ', Value::Needed, true},
    {"time", 't', Value::Needed, true},
    {"time-min", ' ', Value::Needed, true},
    {"partition", 'p', Value::Needed, true},
    {"qos", 'q', Value::Needed, true},
    {"account", 'A', Value::Needed, true},
    {"dependency", 'd', Value::Needed, true},
    {"array", 'a', Value::Needed, true},
    {"constraint", 'C', Value::Needed, true},
    {"nodelist", 'w', Value::Needed, true},
    {"exclude", 'x', Value::Needed, true},
    {"begin", 'b', Value::Needed, true},
    {"reservation", ' ', Value::Needed, true},
    {"switches", ' ', Value::Needed, true},
    {"nice", ' ', Value::Optional, true},
    {"uid", ' ', Value::Needed, true},
    {"exclusive", ' ', Value::Optional, true},
    {"no-kill", 'k', Value::Optional, true},
    {"hold", 'H', Value::None, true},
    {"requeue", ' ', Value::None, true},
    {"no-requeue", ' ', Value::None, true},
    {"contiguous", ' ', Value::None, true},
    {"spread-job", ' ', Value::None, true},
    {"job-name", 'J', Value::Needed, true},
    {"output", 'o', Value::Needed, false},
    {"error", 'e', Value::Needed, false},
    {"chdir", 'D', Value::Needed, false},
    {"mail-type", ' ', Value::Needed, false},
    {"mail-user", ' ', Value::Needed, false},
    {"comment", ' ', Value::Needed, false},
    {"export", ' ', Value::Needed, false},
    {"open-mode", ' ', Value::Needed, false},
    {"signal", ' ', Value::Needed, false},
    {"wckey", ' ', Value::Needed, false},
    {"gpu-bind", ' ', Value::Needed, false},
    {"cpu-bind", ' ', Value::Needed, false},
    {"wait-all-nodes", ' ', Value::Needed, false},
    {"overcommit", 'O', Value::None, false},
    {"parsable", ' ', Value::None, false},
};

// Words, where quotes hold one together; what follows a '#' is a comment.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool in_word = false;
  for (const char c : line) {
    if (quote == 0 && c == '#' && !in_word) break;
    if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? '\0' : c;
      in_word = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\r')) {
      if (in_word) words.push_back(word);
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

const Option& option_of(const std::string& name, const Place& place) {
  std::vector<std::string> known;
  for (const Option& option : kOptions) {
    if (name == option.name || (name.size() == 1 && name[0] == option.letter && name != " "))
      return option;
    known.emplace_back(option.name);
  }
  throw InputError(place, "",
                   "unknown option of sbatch '" + printable(name) + "'" + suggestion(name, known));
}

// "--name=value" and "-Nvalue" in their parts.
struct Said {
  std::string name;
  std::optional<std::string> value;
};

Said said_by(const std::string& word, const Place& place) {
  if (word.rfind("--", 0) == 0) {
    const std::size_t equals = word.find('=');
    Said said{word.substr(2, equals == std::string::npos ? equals : equals - 2), {}};
    if (equals != std::string::npos) said.value = word.substr(equals + 1);
    return said;
  }
  if (word.size() < 2 || word[0] != '-')
    throw InputError(place, "", "'" + printable(word) + "' is no option of sbatch");
  Said said{word.substr(1, 1), {}};
  if (word.size() > 2) said.value = word.substr(word[2] == '=' ? 3 : 2);
  return said;
}

int number_after_colon(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const auto value = parse_integer(colon == std::string::npos ? text : text.substr(colon + 1));
  return value && *value > 0 && *value < 1'000'000 ? static_cast<int>(*value) : 0;
}

int number_of(const SbatchOptions& options, const std::string& name, int otherwise) {
  const auto said = options.find(name);
  return said == options.end() ? otherwise : number_after_colon(said->second);
}

}  // namespace

void add_sbatch_options(const std::string& line, const Place& place, SbatchOptions& options) {
  const std::vector<std::string> words = words_of(line);
  for (std::size_t i = 0; i < words.size(); ++i) {
    Said said = said_by(words[i], place);
    const Option& option = option_of(said.name, place);
    if (option.value == Value::Needed && !said.value) {
      if (i + 1 == words.size())
        throw InputError(place, "",
                         "option '" + printable(said.name) + "' of sbatch needs a value");
      said.value = words[++i];
    }
    if (!option.schedules) continue;
    if (said.value && said.value->find(' ') != std::string::npos)
      throw InputError(place, "",
                       std::string("--") + option.name + " with a space is not understood");
    options[option.name] = said.value.value_or("");
  }
}

std::string text_of(const SbatchOptions& options) {
  std::string text;
  for (const auto& [name, value] : options)
    text += (text.empty() ? "--" : " --") + name + (value.empty() ? "" : "=" + value);
  return text;
}

// A task is on a node of its own where nothing else is said.
int gpus_of(const SbatchOptions& options) {
  if (const int all = number_of(options, "gpus", 0); all > 0) return all;
  const int tasks = number_of(options, "ntasks", 0);
  const int nodes = number_of(options, "nodes", 1);
  if (const int each = number_of(options, "gpus-per-task", 0); each > 0)
    return each * (tasks > 0 ? tasks : nodes * number_of(options, "ntasks-per-node", 1));
  const auto gres = options.find("gres");
  int per_node = number_of(options, "gpus-per-node", 0);
  if (per_node == 0 && gres != options.end() && gres->second.rfind("gpu", 0) == 0)
    per_node = number_after_colon(gres->second);
  return nodes * per_node;
}

std::optional<double> slurm_time(const std::string& text) {
  const std::size_t dash = text.find('-');
  const bool has_days = dash != std::string::npos;
  const auto days = has_days ? parse_integer(text.substr(0, dash)) : std::optional<std::int64_t>(0);
  std::vector<std::int64_t> parts;
  for (const std::string& part : split(has_days ? text.substr(dash + 1) : text, ':')) {
    const auto value = parse_integer(part);
    if (!value || *value < 0) return {};
    parts.push_back(*value);
  }
  if (!days || *days < 0 || parts.size() > 3) return {};
  // With days: hours first; without: one part or two are minutes.
  std::size_t first = has_days || parts.size() == 3 ? 0 : 1;
  constexpr double kUnits[] = {3600, 60, 1};
  double seconds = 86400.0 * static_cast<double>(*days);
  for (const std::int64_t part : parts) {
    if (first == std::size(kUnits)) return {};
    seconds += kUnits[first++] * static_cast<double>(part);
  }
  return seconds;
}

}  // namespace trainyard
