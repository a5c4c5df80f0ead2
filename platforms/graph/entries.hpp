// Properties that list things: "names names: value, value; names names: value, value".
//
// The lists of an entry are host lists and run side by side. EntryReader reads one property; what
// it finds wrong carries the property's place and the entry's text.
#pragma once

#include "platforms/properties.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

struct Entry {
  std::string text;                             // as written, for messages
  std::vector<std::vector<std::string>> lists;  // expanded
  std::vector<std::string> values;
  bool each_with_each = false;  // "a x b" instead of "a b"
};

class EntryReader {
public:
  EntryReader(Properties& properties, std::string id);

  // Entries of exactly so many lists, and of `least` to `most` values.
  std::vector<Entry> entries(std::size_t lists, std::size_t least, std::size_t most) const;
  // Entries whose lists are equally long, with the values of a link: bandwidth and latency.
  std::vector<Entry> links(std::size_t lists) const;
  // A property that is the values alone.
  std::vector<std::string> values(std::size_t count) const;

  Bandwidth bandwidth(const std::string& text) const;
  Seconds seconds(const std::string& text) const;
  int positive_int(const std::string& text) const;
  // "0+1" at '+'; none for "-".
  std::vector<int> indices(const std::string& text, char separator) const;
  InputError error(const std::string& problem) const;

private:
  Entry read(std::string_view text) const;
  void expand_lists(std::string_view words, Entry& entry) const;

  const Properties& properties_;
  std::string id_, text_;
};

}  // namespace trainyard
