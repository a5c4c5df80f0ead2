#include "platforms/graph/entries.hpp"

#include "base/hostlist.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace trainyard {

namespace {

std::vector<std::string> comma_separated(std::string_view text) {
  std::vector<std::string> values;
  for (const std::string& value : split(text, ',')) values.emplace_back(trim(value));
  return values;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string& word : split(text, ' '))
    if (!trim(word).empty()) words.emplace_back(trim(word));
  return words;
}

}  // namespace

EntryReader::EntryReader(Properties& properties, std::string id)
    : properties_(properties), id_(std::move(id)), text_(properties.text(id_)) {}

InputError EntryReader::error(const std::string& problem) const {
  return properties_.error(id_, problem);
}

void EntryReader::expand_lists(std::string_view words, Entry& entry) const {
  for (const std::string& word : words_of(words)) {
    if (word == "x") {
      entry.each_with_each = true;
      continue;
    }
    Hostlist list = expand_hostlist(word, "/+");
    if (!list.problem.empty()) throw error("'" + word + "' " + list.problem);
    entry.lists.push_back(std::move(list.names));
  }
}

Entry EntryReader::read(std::string_view text) const {
  Entry entry;
  entry.text = text;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    throw error("'" + entry.text + "' lacks ':' between names and values");
  expand_lists(text.substr(0, colon), entry);
  entry.values = comma_separated(text.substr(colon + 1));
  return entry;
}

std::vector<Entry> EntryReader::entries(std::size_t lists, std::size_t least,
                                        std::size_t most) const {
  std::vector<Entry> entries;
  for (const std::string& text : split(text_, ';')) {
    if (trim(text).empty()) continue;
    Entry entry = read(trim(text));
    if (entry.lists.size() != lists)
      throw error("'" + entry.text + "' has " + std::to_string(entry.lists.size()) +
                  " lists of names, not " + std::to_string(lists));
    if (entry.values.size() < least || entry.values.size() > most)
      throw error("'" + entry.text + "' has " + std::to_string(entry.values.size()) +
                  " values, not " + std::to_string(least));
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<Entry> EntryReader::links(std::size_t lists) const {
  std::vector<Entry> found = entries(lists, 2, 2);
  for (const Entry& entry : found)
    for (const auto& list : entry.lists)
      if (list.size() != entry.lists[0].size())
        throw error("'" + entry.text + "' pairs " + std::to_string(entry.lists[0].size()) +
                    " with " + std::to_string(list.size()));
  return found;
}

std::vector<std::string> EntryReader::values(std::size_t count) const {
  std::vector<std::string> values = comma_separated(text_);
  if (values.size() != count)
    throw error("must be " + std::to_string(count) + " values, got '" + text_ + "'");
  return values;
}

Bandwidth EntryReader::bandwidth(const std::string& text) const {
  return properties_.bandwidth_in(id_, text);
}

Seconds EntryReader::seconds(const std::string& text) const {
  return properties_.seconds_in(id_, text);
}

int EntryReader::positive_int(const std::string& text) const {
  return properties_.positive_int_in(id_, text);
}

std::vector<int> EntryReader::indices(const std::string& text, char separator) const {
  std::vector<int> indices;
  if (text == "-") return indices;
  for (const std::string& part : split(text, separator)) {
    const auto index = parse_integer(part);
    if (!index || *index < 0 || *index > 1'000'000) throw error("'" + text + "' is no index");
    indices.push_back(static_cast<int>(*index));
  }
  return indices;
}

}  // namespace trainyard
