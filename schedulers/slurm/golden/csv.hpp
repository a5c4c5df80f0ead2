// Comma separated values with a header; a value in quotes may hold commas, and "" is a quote.
#pragma once

#include "base/error.hpp"

#include <map>
#include <string>
#include <vector>

namespace trainyard::slurm {

class CsvRow {
public:
  CsvRow(const std::map<std::string, std::size_t>& columns, std::vector<std::string> values,
         Place place)
      : columns_(columns), values_(std::move(values)), place_(std::move(place)) {}

  const std::string& text(const std::string& column) const;  // "" if empty
  double number(const std::string& column, double otherwise) const;
  int integer(const std::string& column, int otherwise) const;
  InputError error(const std::string& column, const std::string& problem) const;
  const Place& place() const { return place_; }

private:
  const std::map<std::string, std::size_t>& columns_;
  std::vector<std::string> values_;
  Place place_;
};

class Csv {
public:
  explicit Csv(const std::string& file);
  const std::vector<CsvRow>& rows() const { return rows_; }

private:
  std::map<std::string, std::size_t> columns_;
  std::vector<CsvRow> rows_;
};

}  // namespace trainyard::slurm
