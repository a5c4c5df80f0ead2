#include "platforms/graph/name_list.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace trainyard {

namespace {

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

// Series of neighbours as one item each.
std::vector<std::string> merged(const std::vector<std::string>& names) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < names.size();) {
    NameSeries series(names[i++]);
    while (i < names.size() && series.extend(names[i])) ++i;
    items.push_back(series.text());
  }
  return items;
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
  return join(merged(merged(names)), ",");
}

}  // namespace trainyard
