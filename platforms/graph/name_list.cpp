#include "platforms/graph/name_list.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>

namespace trainyard {

namespace {

constexpr std::size_t kMostNames = 4'000'000;  // a typing error must not fill the memory
constexpr std::size_t kMostDigits = 15;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string padded(std::int64_t number, std::size_t width) {
  std::string text = std::to_string(number);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

// What a number's text says of its width: "07" is two wide, "7" as wide as it must be.
std::size_t width_of(std::string_view digits) {
  return digits.size() > 1 && digits.front() == '0' ? digits.size() : 0;
}

std::string merged(const std::vector<std::string>& names, std::vector<std::string>& items) {
  items.clear();
  for (std::size_t i = 0; i < names.size();) {
    NameSeries series(names[i++]);
    while (i < names.size() && series.extend(names[i])) ++i;
    items.push_back(series.text());
  }
  return join(items, ",");
}

// "0-3" or "5" as numbers, each with its width.
bool append_range(std::string_view range, std::vector<std::string>& out) {
  const std::size_t dash = range.find('-');
  const std::string_view low = range.substr(0, dash);
  const std::string_view high = dash == std::string_view::npos ? low : range.substr(dash + 1);
  const auto sound = [](std::string_view text) {
    return !text.empty() && text.size() <= kMostDigits &&
           std::all_of(text.begin(), text.end(), is_digit);
  };
  if (!sound(low) || !sound(high)) return false;
  const std::int64_t first = *parse_integer(low);
  const std::int64_t last = *parse_integer(high);
  if (last < first || last - first >= static_cast<std::int64_t>(kMostNames)) return false;
  for (std::int64_t i = first; i <= last; ++i) out.push_back(padded(i, width_of(low)));
  return true;
}

// Appends each of `tails` to each of `heads`.
std::vector<std::string> product(const std::vector<std::string>& heads,
                                 const std::vector<std::string>& tails) {
  std::vector<std::string> names;
  names.reserve(heads.size() * tails.size());
  for (const std::string& head : heads)
    for (const std::string& tail : tails) names.push_back(head + tail);
  return names;
}

// One item of the list, with any number of brackets.
std::vector<std::string> expand(std::string_view item, std::string& problem) {
  std::vector<std::string> names = {""};
  while (!item.empty()) {
    std::vector<std::string> tails;
    std::size_t length = std::min(item.find('['), item.size());
    if (length > 0) {
      tails.emplace_back(item.substr(0, length));
    } else {
      const std::size_t close = item.find(']');
      if (close == std::string_view::npos) {
        problem = "has '[' without ']'";
        return {};
      }
      for (const std::string& range : split(item.substr(1, close - 1), ','))
        if (!append_range(range, tails)) {
          problem = "'" + range + "' is no range of numbers such as 0-15";
          return {};
        }
      length = close + 1;
    }
    if (names.size() * tails.size() > kMostNames) {
      problem = "names more than " + std::to_string(kMostNames) + " things";
      return {};
    }
    names = product(names, tails);
    item.remove_prefix(length);
  }
  return names;
}

}  // namespace

std::vector<NameSeries::Slot> NameSeries::slots() const {
  std::vector<Slot> found;
  bool inside = false;
  for (std::size_t i = 0; i < first_.size();) {
    if (first_[i] == '[') inside = true;
    if (first_[i] == ']') inside = false;
    std::size_t end = i;
    while (end < first_.size() && is_digit(first_[end])) ++end;
    if (end > i && !inside && end - i <= kMostDigits) found.push_back({i, end});
    i = std::max(end, i + 1);
  }
  std::reverse(found.begin(), found.end());  // the last number varies fastest
  return found;
}

std::string NameSeries::number(const Slot& slot, std::size_t step) const {
  const std::string digits = first_.substr(slot.begin, slot.end - slot.begin);
  return padded(*parse_integer(digits) + static_cast<std::int64_t>(step), width_of(digits));
}

std::string NameSeries::name(const Slot& slot, std::size_t step) const {
  return first_.substr(0, slot.begin) + number(slot, step) + first_.substr(slot.end);
}

bool NameSeries::extend(const std::string& next) {
  if (count_ > 1) {
    if (name(slot_, count_) != next) return false;
    ++count_;
    return true;
  }
  for (const Slot& slot : slots())
    if (name(slot, 1) == next) {
      slot_ = slot;
      count_ = 2;
      return true;
    }
  return false;
}

std::string NameSeries::text() const {
  if (count_ == 1) return first_;
  return first_.substr(0, slot_.begin) + "[" + number(slot_, 0) + "-" + number(slot_, count_ - 1) +
         "]" + first_.substr(slot_.end);
}

std::string to_name_list(const std::vector<std::string>& names) {
  std::vector<std::string> inner, outer;
  merged(names, inner);
  return merged(inner, outer);
}

std::vector<std::string> parse_name_list(std::string_view text, std::string& problem) {
  std::vector<std::string> names;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '[') ++depth;
    if (i < text.size() && text[i] == ']') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    const std::vector<std::string> more = expand(trim(text.substr(begin, i - begin)), problem);
    if (!problem.empty()) return {};
    if (names.size() + more.size() > kMostNames) problem = "is too long";
    names.insert(names.end(), more.begin(), more.end());
    begin = i + 1;
  }
  return names;
}

}  // namespace trainyard
