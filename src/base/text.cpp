#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace trainyard {

std::string shortest(double value) {
  char buffer[40];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, result.ptr};
}

std::string fixed(double value, int decimals) {
  char buffer[400];
  const int length = std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
  std::string text(buffer, static_cast<std::size_t>(length));
  if (text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

namespace {

template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number value{};
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// First bytes of UTF-8 characters, and what the second byte may be: the narrower ranges keep out
// overlong forms, surrogates and what lies beyond U+10FFFF (Unicode 15, table 3-7).
struct Utf8Lead {
  unsigned char first, last, length, second_from, second_to;
};
constexpr Utf8Lead kUtf8Leads[] = {
    {0x00, 0x7f, 1, 0x00, 0x00}, {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
    {0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
    {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f}};

// The length of the character that `text` starts with; 0 if it is not valid.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto* lead = std::find_if(std::begin(kUtf8Leads), std::end(kUtf8Leads), [&](const auto& l) {
    return l.first <= byte(0) && byte(0) <= l.last;
  });
  if (lead == std::end(kUtf8Leads) || text.size() < lead->length) return 0;
  if (lead->length > 1 && (byte(1) < lead->second_from || byte(1) > lead->second_to)) return 0;
  for (std::size_t i = 2; i < lead->length; ++i)
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  return lead->length;
}

}  // namespace

std::optional<double> parse_double(std::string_view text) { return parse_whole<double>(text); }
std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse_whole<std::int64_t>(text);
}

std::string near_match(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::min<std::size_t>(2, word.size() / 2) + 1;
  for (const std::string& candidate : known) {
    if (same_but_for_case(word, candidate)) return candidate;
    if (word.size() > candidate.size() + 2 || candidate.size() > word.size() + 2) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) best_distance = distance, best = candidate;
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string near = near_match(word, known);
  if (!near.empty()) return "; did you mean '" + near + "'?";
  constexpr std::size_t kMostNamed = 40;  // more would bury the problem
  return known.empty() || known.size() > kMostNamed ? "" : "; known: " + join(known);
}

std::string counted(std::int64_t count, const std::string& what) {
  const bool hisses = what.back() == 's' ||
                      what.substr(what.size() - std::min<std::size_t>(2, what.size())) == "ch";
  return std::to_string(count) + " " + what + (count == 1 ? "" : hisses ? "es" : "s");
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

bool natural_less(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto number = [&](std::string_view& text) {
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end])) ++end;
    const std::size_t zeros = std::min(text.find_first_not_of('0'), end);
    const std::string_view digits = text.substr(zeros, end - zeros);
    text.remove_prefix(end);
    return std::make_pair(digits.size(), digits);  // the longer number is the larger one
  };
  const std::string_view all_a = a, all_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto number_a = number(a), number_b = number(b);
      if (number_a != number_b) return number_a < number_b;
      continue;
    }
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (a.empty() != b.empty()) return a.empty();
  return all_a < all_b;  // "n01" and "n1"
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator, begin)) {
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::vector<std::string> wrapped_lines(std::string_view text, std::string_view indent,
                                       std::size_t width) {
  if (text.size() <= width) return {std::string(text)};
  std::vector<std::string> lines;
  std::string line;
  bool is_empty = true;  // but for its indent
  for (const std::string& word : split(text, ' ')) {
    if (!is_empty && line.size() + 1 + word.size() > width) {
      lines.push_back(line);
      line = indent;
      is_empty = true;
    }
    if (!is_empty) line += ' ';
    line += word;
    is_empty = false;
  }
  lines.push_back(line);
  return lines;
}

std::optional<std::size_t> invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string result;
  for (std::size_t i = 0; i < text.size() && i < limit; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte < 0x7f) {
      result += text[i];
      continue;
    }
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(byte));
    result += escaped;
  }
  return text.size() > limit ? result + "..." : result;
}

}  // namespace trainyard
