#include "workload/importers/nccl/foreign.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace trainyard {

namespace {

// The number that a text starts with, and the rest of it without blanks.
std::optional<double> leading_number(std::string_view text, std::string_view& rest) {
  text = trim(text);
  std::size_t end = 0;
  while (end < text.size() &&
         (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.'))
    ++end;
  rest = trim(text.substr(end));
  return parse_double(text.substr(0, end));
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (const std::string& cell : split(line, '|')) cells.emplace_back(trim(cell));
  if (!cells.empty()) cells.erase(cells.begin());  // before the first bar
  if (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

Bytes size_label(std::string_view text) {
  std::string_view unit;
  const auto number = leading_number(text, unit);
  if (!number || !(*number > 0) || unit.empty()) return {};
  const std::string letters = "KMGT";
  const std::size_t power = letters.find(static_cast<char>(std::toupper(unit[0])));
  if (power == std::string::npos) return {};
  const int thousands = static_cast<int>(power) + 1;
  if (unit.size() > 1 && (unit[1] == 'i' || unit[1] == 'I'))
    return bytes(std::llround(*number * std::pow(1024.0, thousands)));
  const double exponent = std::round(std::log2(*number * std::pow(1000.0, thousands)));
  return bytes(exponent < 62 ? std::int64_t{1} << static_cast<int>(exponent) : 0);
}

bool BandwidthTable::take_header(const std::vector<std::string>& cells) {
  std::vector<char> columns;
  for (const std::string& cell : cells) {
    const std::string name = lower_case(cell);
    if (holds(name, "message size") || name == "payload" || name == "size")
      columns.push_back('s');
    else if (holds(name, "busbw") || holds(name, "gb/s"))
      columns.push_back('b');
    else
      columns.push_back(holds(name, "algbw") ? 'a' : ' ');
  }
  const bool is_one = std::count(columns.begin(), columns.end(), 's') == 1 &&
                      std::count(columns.begin(), columns.end(), 'b') == 1;
  if (is_one) columns_ = columns;
  return is_one;
}

bool BandwidthTable::take(std::string_view line, int number) {
  const std::vector<std::string> cells = cells_of(line);
  if (columns_.empty()) return take_header(cells);
  PrintedRow printed;
  printed.line = number;
  for (std::size_t i = 0; i < cells.size() && i < columns_.size(); ++i) {
    std::string_view unit;
    if (columns_[i] == 's') printed.row.size = size_label(cells[i]);
    if (columns_[i] == 'b') printed.row.busbw = leading_number(cells[i], unit).value_or(0);
    if (columns_[i] == 'a') printed.row.algbw = leading_number(cells[i], unit).value_or(0);
  }
  if (printed.row.size > bytes(0) && printed.row.busbw > 0) rows_.push_back(printed);
  return true;
}

void BenchOutput::take(std::string_view line, int number) {
  const std::vector<std::string_view> found = words(line);
  if (found.size() == 5 && found[1] == "data" && found[2] == "size:" && found[4] == "GB") {
    const auto rank = parse_integer(found[0]);
    const auto gigabytes = parse_double(found[3]);
    if (!rank || !gigabytes || *rank < 0 || *rank > 1'000'000) return;
    ranks_ = std::max(ranks_, static_cast<int>(*rank) + 1);
    size_ = *gigabytes * 1e9;
  }
  if (found.size() == 3 && found[0] == "duration:" && found[2] == "sec") {
    const auto duration = parse_double(found[1]);
    if (!duration || !(*duration > 0)) return;
    seconds_.push_back(*duration);
    if (line_ == 0) line_ = number;
  }
}

std::optional<PrintedRow> BenchOutput::row() const {
  if (seconds_.empty() || !(size_ > 0)) return std::nullopt;
  std::vector<double> sorted = seconds_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  PrintedRow printed;
  printed.line = line_;
  printed.row.size = bytes(std::llround(size_));
  printed.row.time = seconds(*middle);
  printed.row.algbw = size_ / *middle / 1e9;
  printed.row.busbw = printed.row.algbw * (ranks_ > 1 ? 2.0 * (ranks_ - 1) / ranks_ : 1);
  return printed;
}

}  // namespace trainyard
