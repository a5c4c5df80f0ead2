#include "schedulers/slurm/golden/csv.hpp"

#include "base/text.hpp"
#include "workload/importers/line_reader.hpp"

namespace trainyard::slurm {

namespace {

std::vector<std::string> values_of(std::string_view line) {
  std::vector<std::string> values(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      values.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      values.emplace_back();
    else
      values.back() += c;
  }
  return values;
}

}  // namespace

Csv::Csv(const std::string& file) {
  LineReader reader(file);
  while (const auto line = reader.next()) {
    if (trim(*line).empty()) continue;
    std::vector<std::string> values = values_of(*line);
    if (columns_.empty()) {
      for (std::size_t i = 0; i < values.size(); ++i) columns_[values[i]] = i;
      continue;
    }
    if (values.size() != columns_.size())
      throw InputError(reader.place(), "",
                       "has " + counted(static_cast<std::int64_t>(values.size()), "value") +
                           ", the header has " + std::to_string(columns_.size()));
    rows_.emplace_back(columns_, std::move(values), reader.place());
  }
}

const std::string& CsvRow::text(const std::string& column) const {
  const auto found = columns_.find(column);
  if (found == columns_.end())
    throw InputError({place_.file, 1}, "", "lacks column '" + column + "'");
  return values_[found->second];
}

double CsvRow::number(const std::string& column, double otherwise) const {
  const std::string& value = text(column);
  if (value.empty()) return otherwise;
  const auto number = parse_double(value);
  if (!number) throw error(column, "must be a number");
  return *number;
}

int CsvRow::integer(const std::string& column, int otherwise) const {
  const std::string& value = text(column);
  if (value.empty()) return otherwise;
  const auto number = parse_integer(value);
  if (!number) throw error(column, "must be an integer");
  return static_cast<int>(*number);
}

InputError CsvRow::error(const std::string& column, const std::string& problem) const {
  return {place_, column, problem + ", got '" + printable(text(column)) + "'"};
}

}  // namespace trainyard::slurm
