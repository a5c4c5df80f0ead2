#include "config/csv_table.hpp"

#include "base/text.hpp"
#include "config/section.hpp"
#include "config/units.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trainyard {

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (const std::string& cell : split(line, ',')) cells.emplace_back(trim(cell));
  return cells;
}

}  // namespace

const std::string& CsvRow::text(const std::string& column) const {
  const auto found = std::find(names_->begin(), names_->end(), column);
  assert(found != names_->end());
  return cells_[static_cast<std::size_t>(found - names_->begin())];
}

const std::string& CsvRow::one_of(const std::string& column,
                                  const std::vector<std::string>& known) const {
  const std::string& word = text(column);
  if (std::find(known.begin(), known.end(), word) == known.end())
    throw error(column, "unknown value '" + word + "'" + suggestion(word, known));
  return word;
}

double CsvRow::number(const std::string& column, double at_least, double at_most) const {
  const auto value = parse_double(text(column));
  if (!value || !std::isfinite(*value) || *value < at_least || *value > at_most)
    throw error(column, "must be a number from " + shortest(at_least) + " to " + shortest(at_most) +
                            ", got '" + text(column) + "'");
  return *value;
}

std::int64_t CsvRow::integer(const std::string& column, std::int64_t at_least) const {
  const auto value = parse_integer(text(column));
  if (!value || *value < at_least)
    throw error(column, "must be an integer of at least " + std::to_string(at_least) + ", got '" +
                            text(column) + "'");
  return *value;
}

Seconds CsvRow::seconds(const std::string& column) const {
  std::string problem;
  const Seconds time = parse_seconds(text(column), problem);
  if (!problem.empty()) throw error(column, problem);
  if (!(time > Seconds(0))) throw error(column, "must be more than zero");
  return time;
}

InputError CsvRow::error(const std::string& column, const std::string& problem) const {
  return {place_, column, problem};
}

CsvFile::CsvFile(const std::string& file, const std::string& header) : names_(cells_of(header)) {
  int number = 0;
  bool header_seen = false;
  for (const std::string& line : split(read_file(file), '\n')) {
    ++number;
    const std::string text(trim(line));
    if (text.empty() || text[0] == '#') continue;
    std::vector<std::string> cells = cells_of(text);
    if (!header_seen && cells != names_)
      throw InputError({file, number}, "", "the first line must be " + header);
    if (header_seen && cells.size() != names_.size())
      throw InputError({file, number}, "",
                       "expected " + std::to_string(names_.size()) + " columns, found " +
                           std::to_string(cells.size()));
    if (header_seen) rows_.emplace_back(Place{file, number}, names_, std::move(cells));
    header_seen = true;
  }
  if (rows_.empty()) throw InputError({file}, "", "holds no row; its columns are " + header);
}

}  // namespace trainyard
