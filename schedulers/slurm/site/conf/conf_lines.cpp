#include "schedulers/slurm/site/conf/conf_lines.hpp"

#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "platforms/importers/line_cursor.hpp"
#include "schedulers/slurm/site/duration.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace trainyard::slurm {

namespace {

constexpr int kMostIncludes = 16;

std::string text_of(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input) throw InputError({file}, "", "cannot be read");
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

class ConfReader {
public:
  void read(const std::string& file, const std::string& text, int depth) {
    if (depth > kMostIncludes) throw InputError({file}, "", "is included too deeply");
    ConfRecord record;
    for (const TextLine& line : lines_of(file, text)) {
      LineCursor cursor(file, line);
      if (record.options.empty() && includes(cursor, file, depth)) continue;
      if (!read_line(cursor, record) && !record.options.empty())
        records_.push_back(std::exchange(record, {}));
    }
    if (!record.options.empty()) records_.push_back(std::move(record));
  }

  std::vector<ConfRecord> finish() { return std::move(records_); }

private:
  bool includes(LineCursor cursor, const std::string& file, int depth) {
    cursor.skip_space();
    if (!same_key(std::string(cursor.word()), "include")) return false;
    cursor.skip_space();
    const std::string name(cursor.word());
    if (name.empty()) throw cursor.error("Include names no file");
    const std::filesystem::path path = std::filesystem::path(file).parent_path() / name;
    read(path.string(), text_of(path.string()), depth + 1);
    return true;
  }

  // Whether a backslash continues the record on the next line.
  static bool read_line(LineCursor& cursor, ConfRecord& record) {
    while (!cursor.at_end() && !cursor.next_is('#')) {
      if (trim(cursor.rest()) == "\\") return true;
      record.options.push_back(read_option(cursor));
    }
    return false;
  }

  static ConfOption read_option(LineCursor& cursor) {
    ConfOption option;
    cursor.skip_space();
    option.key_place = cursor.place();
    option.key = cursor.up_to("= \t#");
    cursor.expect('=');
    cursor.skip_space();
    option.value_place = cursor.place();
    option.value = cursor.next_is('"') ? cursor.quoted('"') : cursor.up_to(" \t#");
    return option;
  }

  std::vector<ConfRecord> records_;
};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool unlimited(const std::string& value) {
  const std::string word = lower(value);
  return word == "unlimited" || word == "infinite" || word == "-1" || word == "none";
}

}  // namespace

std::vector<ConfRecord> parse_conf(const std::string& file, const std::string& text) {
  ConfReader reader;
  reader.read(file, text, 0);
  return reader.finish();
}

std::vector<ConfRecord> read_conf_file(const std::string& file) {
  return parse_conf(file, text_of(file));
}

InputError value_error(const ConfOption& option, const std::string& problem) {
  return {option.value_place, option.key, problem + ", got '" + printable(option.value) + "'"};
}

bool same_key(const std::string& a, const std::string& b) { return lower(a) == lower(b); }

int int_of(const ConfOption& option, int least) {
  const auto value = parse_integer(option.value);
  if (!value || *value < least || *value > kNoLimit)
    throw value_error(option, "must be an integer of at least " + std::to_string(least));
  return static_cast<int>(*value);
}

int count_or_unlimited(const ConfOption& option) {
  return unlimited(option.value) ? kNoLimit : int_of(option);
}

int minutes_of(const ConfOption& option) {
  if (unlimited(option.value)) return kNoLimit;
  const auto seconds = parse_duration(option.value);
  if (!seconds) throw value_error(option, "must be a time: minutes, [days-]hours:minutes:seconds");
  return static_cast<int>((*seconds + 59) / 60);
}

int seconds_of(const ConfOption& option) {
  if (unlimited(option.value)) return 0;
  const auto seconds = parse_duration(option.value);
  if (!seconds) throw value_error(option, "must be a time: minutes, [days-]hours:minutes:seconds");
  return static_cast<int>(*seconds);
}

double double_of(const ConfOption& option) {
  const auto value = parse_double(option.value);
  if (!value) throw value_error(option, "must be a number");
  return *value;
}

bool yes_of(const ConfOption& option) {
  const std::string word = lower(option.value);
  for (const char* yes : {"yes", "1", "true", "up", "on"})
    if (word == yes) return true;
  for (const char* no : {"no", "0", "false", "down", "off"})
    if (word == no) return false;
  throw value_error(option, "must be YES or NO");
}

std::vector<std::string> hosts_of(const ConfOption& option) {
  Hostlist list = expand_hostlist(option.value);
  if (list.problem.empty()) return std::move(list.names);
  Place place = option.value_place;
  place.column += static_cast<int>(list.at);
  throw InputError(place, option.key, list.problem);
}

std::vector<std::string> words_of(const ConfOption& option) {
  std::vector<std::string> words;
  for (const std::string& word : split(option.value, ','))
    if (!trim(word).empty()) words.emplace_back(trim(word));
  return words;
}

}  // namespace trainyard::slurm
