#include "base/hostlist.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>

namespace trainyard {

namespace {

// Expands one name after the other; stops at the first problem.
class Expander {
public:
  Expander(std::string_view text, std::string_view also) : text_(text), also_(also) {}

  Hostlist expand() {
    if (text_.empty()) fail("is empty");
    while (ok() && name())
      if (at_ < text_.size() && ++at_ == text_.size()) fail("ends in a comma");
    if (!ok()) result_.names.clear();
    return std::move(result_);
  }

private:
  bool ok() const { return result_.problem.empty(); }
  char here() const { return at_ < text_.size() ? text_[at_] : ','; }

  void fail(const std::string& problem) { fail_at(at_, problem); }
  void fail_at(std::size_t at, const std::string& problem) {
    if (ok()) result_.problem = problem, result_.at = at;
  }

  // One comma-separated item; false at the end of the text.
  bool name() {
    if (here() == ',') fail("has an empty name");
    std::vector<std::string> names = {""};
    while (ok() && here() != ',') here() == '[' ? brackets(names) : plain(names);
    if (ok() && result_.names.size() + names.size() > kMostHosts) too_many();
    result_.names.insert(result_.names.end(), names.begin(), names.end());
    return at_ < text_.size();
  }

  void too_many() { fail("has more than " + std::to_string(kMostHosts) + " names"); }

  void plain(std::vector<std::string>& names) {
    const char c = here();
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (c == ']') return fail("has a ']' without its '['");
    if (!letter && c != '-' && c != '_' && c != '.' && also_.find(c) == std::string_view::npos)
      return fail("has '" + printable({&c, 1}) + "', which no host's name has");
    for (std::string& name : names) name += c;
    ++at_;
  }

  // "[001-064,070]": every name so far, with every number.
  void brackets(std::vector<std::string>& names) {
    const std::size_t open = at_++;
    std::vector<std::string> numbers;
    range(numbers, open);
    while (comma(open)) range(numbers, open);
    if (!ok()) return;
    ++at_;  // the ']'
    if (names.size() * numbers.size() > kMostHosts) return too_many();
    std::vector<std::string> all;
    for (const std::string& name : names)
      for (const std::string& number : numbers) all.push_back(name + number);
    names = std::move(all);
  }

  // Whether another range follows; anything but ',' and ']' is a problem.
  bool comma(std::size_t open) {
    if (!ok()) return false;
    if (at_ == text_.size())
      fail_at(open, "has a '[' without its ']'");
    else if (text_[at_] != ',' && text_[at_] != ']')
      fail("has '" + printable(text_.substr(at_, 1)) +
           "' between brackets: only numbers and ranges belong there");
    if (!ok() || text_[at_] == ']') return false;
    ++at_;
    return true;
  }

  void range(std::vector<std::string>& numbers, std::size_t open) {
    const std::size_t begin = at_;
    const std::string_view first = digits(open);
    if (!ok()) return;
    std::string_view last = first;
    if (here() == '-') ++at_, last = digits(open);
    if (!ok()) return;
    const std::int64_t low = *parse_integer(first), high = *parse_integer(last);
    if (low > high)
      return fail_at(begin, "has the range " + std::string(first) + "-" + std::string(last) +
                                ", which runs backwards");
    if (high - low >= static_cast<std::int64_t>(kMostHosts - std::min(kMostHosts, numbers.size())))
      return too_many();
    for (std::int64_t number = low; number <= high; ++number) {
      const std::string plain = std::to_string(number);
      numbers.push_back(std::string(first.size() - std::min(first.size(), plain.size()), '0') +
                        plain);
    }
  }

  std::string_view digits(std::size_t open) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    const std::string_view found = text_.substr(begin, at_ - begin);
    if (found.size() > 18) fail_at(begin, "has a number of more than 18 digits");
    if (!found.empty()) return found;
    if (at_ == text_.size()) fail_at(open, "has a '[' without its ']'");
    fail("lacks a number between brackets");
    return found;
  }

  std::string_view text_, also_;
  std::size_t at_ = 0;
  Hostlist result_;
};

}  // namespace

Hostlist expand_hostlist(std::string_view text, std::string_view also) {
  return Expander(text, also).expand();
}

namespace {

// "rack1n007" is "rack1n" and 7, three digits wide; without digits at its end the number is -1.
struct Numbered {
  std::string prefix;
  std::size_t width;  // 0 where no name of this prefix is filled up with zeros
  std::int64_t number;
};

Numbered numbered(const std::string& name) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  const std::string tail = name.substr(digits);
  const auto value = parse_integer(tail);
  if (!value || tail.size() > 9) return {name, 0, -1};
  return {name.substr(0, digits), tail.size(), *value};
}

std::vector<Numbered> numbered(const std::vector<std::string>& names) {
  std::vector<Numbered> parts;
  std::set<std::string> filled_up;
  parts.reserve(names.size());
  for (const std::string& name : names) {
    parts.push_back(numbered(name));
    const Numbered& part = parts.back();
    if (part.width > std::to_string(part.number).size()) filled_up.insert(part.prefix);
  }
  for (Numbered& part : parts)
    if (filled_up.count(part.prefix) == 0) part.width = 0;
  return parts;
}

std::string padded(std::int64_t number, std::size_t width) {
  std::string text = std::to_string(number);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

// The names of one prefix and width, ascending.
std::string bracketed(const Numbered& first, const std::vector<std::int64_t>& numbers) {
  std::string ranges;
  for (std::size_t from = 0; from < numbers.size();) {
    std::size_t to = from;
    while (to + 1 < numbers.size() && numbers[to + 1] == numbers[to] + 1) ++to;
    if (!ranges.empty()) ranges += ',';
    ranges += padded(numbers[from], first.width);
    if (to > from) ranges += '-' + padded(numbers[to], first.width);
    from = to + 1;
  }
  return first.prefix + (numbers.size() > 1 ? '[' + ranges + ']' : ranges);
}

}  // namespace

std::string compress_hostlist(const std::vector<std::string>& names) {
  std::vector<Numbered> parts = numbered(names);
  const auto key = [](const Numbered& part) {
    return std::tie(part.prefix, part.width, part.number);
  };
  std::sort(parts.begin(), parts.end(),
            [&](const Numbered& a, const Numbered& b) { return key(a) < key(b); });
  std::string text;
  for (auto part = parts.begin(); part != parts.end();) {
    const Numbered& first = *part;
    std::vector<std::int64_t> numbers;
    for (; part != parts.end() && part->prefix == first.prefix && part->width == first.width;
         ++part)
      if (numbers.empty() || numbers.back() != part->number) numbers.push_back(part->number);
    if (!text.empty()) text += ',';
    text += first.number < 0 ? first.prefix : bracketed(first, numbers);
  }
  return text;
}

}  // namespace trainyard
