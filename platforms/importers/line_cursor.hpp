// A text file as numbered lines, and one line read from left to right; every error has file, line
// and column.
//
// It knows nothing of any format. What is not UTF-8 or holds control characters is refused before
// anything else is read: names from these files are printed and written into platform files.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

struct TextLine {
  std::string_view text;  // without its line end, LF or CRLF
  int number = 0;         // from 1
};

// The lines of `text`, which they point into; `file` is for messages.
std::vector<TextLine> lines_of(const std::string& file, std::string_view text);

class LineCursor {
public:
  LineCursor(const std::string& file, const TextLine& line) : file_(file), line_(line) {}

  void skip_space();
  bool at_end();                                   // of what is not white space
  bool next_is(char c);                            // after white space
  bool accept(char c);                             // steps over it if it is next
  void expect(char c);                             // or an error
  std::string_view word();                         // up to white space; empty at the end
  std::string_view up_to(std::string_view stops);  // the longest text without any of these
  std::string_view quoted(char quote);             // what stands between two quotes
  std::int64_t number(const char* what, std::int64_t least, std::int64_t most);
  std::string_view rest() const { return line_.text.substr(at_); }

  Place place() const { return place_at(at_); }  // of the next character
  Place place_of(std::string_view part) const;   // `part` is some of this line
  InputError error(const std::string& problem) {
    return skip_space(), InputError(place(), "", problem);
  }
  InputError error_at(std::string_view part, const std::string& problem) const {
    return {place_of(part), "", problem};
  }

private:
  Place place_at(std::size_t at) const { return {file_, line_.number, static_cast<int>(at) + 1}; }

  const std::string& file_;
  TextLine line_;
  std::size_t at_ = 0;
};

}  // namespace trainyard
