#include "platforms/importers/slurm_record.hpp"

#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "platforms/importers/line_cursor.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace trainyard {

namespace {

bool same_but_for_case(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::string known_key(const std::string& key, const Place& place,
                      const std::vector<std::string>& keys) {
  for (const std::string& known : keys)
    if (same_but_for_case(key, known)) return known;
  throw InputError(place, "", "unknown key '" + printable(key) + "'" + suggestion(key, keys));
}

SlurmOption read_option(LineCursor& cursor, const std::vector<std::string>& keys) {
  SlurmOption option;
  option.key_place = cursor.place();
  option.key = known_key(std::string(cursor.up_to("= \t#")), option.key_place, keys);
  cursor.expect('=');
  option.value_place = cursor.place();
  option.value = cursor.up_to(" \t#");
  if (option.value.empty())
    throw InputError(option.value_place, "", "'" + option.key + "' has no value");
  return option;
}

// Whether a backslash continues the record on the next line.
bool read_line(LineCursor cursor, const std::vector<std::string>& keys, SlurmRecord& record) {
  while (!cursor.at_end() && !cursor.next_is('#')) {
    if (cursor.rest() == "\\") return true;
    SlurmOption option = read_option(cursor, keys);
    if (record.find(option.key))
      throw InputError(option.key_place, "", "'" + option.key + "' is given twice");
    record.options.push_back(std::move(option));
  }
  return false;
}

}  // namespace

const SlurmOption* SlurmRecord::find(const std::string& key) const {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const SlurmOption& option) { return option.key == key; });
  return found == options.end() ? nullptr : &*found;
}

std::vector<SlurmRecord> read_slurm_records(const std::string& file, const std::string& text,
                                            const std::vector<std::string>& keys) {
  std::vector<SlurmRecord> records;
  SlurmRecord record;
  for (const TextLine& line : lines_of(file, text)) {
    if (read_line(LineCursor(file, line), keys, record)) continue;
    if (!record.options.empty()) records.push_back(std::exchange(record, {}));
  }
  if (!record.options.empty()) records.push_back(std::move(record));
  return records;
}

std::vector<std::string> hostlist_of(const SlurmOption& option) {
  Hostlist list = expand_hostlist(option.value);
  if (list.problem.empty()) return std::move(list.names);
  Place place = option.value_place;
  place.column += static_cast<int>(list.at);
  throw InputError(place, "", "'" + option.key + "' " + list.problem);
}

}  // namespace trainyard
