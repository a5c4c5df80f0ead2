#include "platforms/importers/line_cursor.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace trainyard {

namespace {

constexpr std::string_view kSpace = " \t";

void check_characters(const std::string& file, const TextLine& line) {
  const auto refuse = [&](std::size_t at, const std::string& problem) {
    throw InputError({file, line.number, static_cast<int>(at) + 1}, "", problem);
  };
  if (const auto at = invalid_utf8(line.text)) refuse(*at, "is not valid UTF-8");
  for (std::size_t at = 0; at < line.text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(line.text[at]);
    if ((byte < 0x20 && byte != '\t') || byte == 0x7f)
      refuse(at, "holds the control character " + printable(line.text.substr(at, 1)));
  }
}

}  // namespace

std::vector<TextLine> lines_of(const std::string& file, std::string_view text) {
  std::vector<TextLine> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    TextLine line{text.substr(0, end), static_cast<int>(lines.size()) + 1};
    if (!line.text.empty() && line.text.back() == '\r') line.text.remove_suffix(1);
    check_characters(file, line);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void LineCursor::skip_space() {
  at_ = std::min(line_.text.find_first_not_of(kSpace, at_), line_.text.size());
}

bool LineCursor::at_end() { return skip_space(), at_ == line_.text.size(); }

bool LineCursor::next_is(char c) { return !at_end() && line_.text[at_] == c; }

bool LineCursor::accept(char c) {
  if (!next_is(c)) return false;
  ++at_;
  return true;
}

void LineCursor::expect(char c) {
  if (accept(c)) return;
  const std::string found = at_end() ? "the line ends" : "found '" + printable(rest(), 20) + "'";
  throw error("expected '" + std::string(1, c) + "', " + found);
}

std::string_view LineCursor::word() { return skip_space(), up_to(kSpace); }

std::string_view LineCursor::up_to(std::string_view stops) {
  const std::size_t end = std::min(line_.text.find_first_of(stops, at_), line_.text.size());
  const std::string_view found = line_.text.substr(at_, end - at_);
  at_ = end;
  return found;
}

std::string_view LineCursor::quoted(char quote) {
  expect(quote);
  const std::size_t open = at_ - 1;
  const std::size_t close = line_.text.find(quote, at_);
  if (close == std::string_view::npos)
    throw InputError(place_at(open), "", "the quote is never closed");
  at_ = close + 1;
  return line_.text.substr(open + 1, close - open - 1);
}

std::int64_t LineCursor::number(const char* what, std::int64_t least, std::int64_t most) {
  skip_space();
  const std::size_t end =
      std::min(line_.text.find_first_not_of("0123456789", at_), line_.text.size());
  const std::string_view digits = line_.text.substr(at_, end - at_);
  const auto value = parse_integer(digits);
  if (!value || *value < least || *value > most)
    throw error("expected " + std::string(what) + ", a number from " + std::to_string(least) +
                " to " + std::to_string(most) +
                (at_end() ? "; the line ends" : ", found '" + printable(word(), 20) + "'"));
  at_ = end;
  return *value;
}

Place LineCursor::place_of(std::string_view part) const {
  return place_at(static_cast<std::size_t>(part.data() - line_.text.data()));
}

}  // namespace trainyard
