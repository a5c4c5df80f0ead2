// A strict view of one line of a CSV table: ask for its cells by the header's names.
//
// The first line that is no comment must be the header, word for word; every line has exactly its
// columns. '#' starts a comment line. Cells are trimmed; there is no quoting.
#pragma once

#include "base/error.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

class CsvRow {
public:
  CsvRow(Place place, const std::vector<std::string>& names, std::vector<std::string> cells)
      : place_(std::move(place)), names_(&names), cells_(std::move(cells)) {}

  // Each throws InputError naming file:line and the column. The name must be one of the header's.
  const std::string& text(const std::string& column) const;
  const std::string& one_of(const std::string& column, const std::vector<std::string>& known) const;
  double number(const std::string& column, double at_least, double at_most) const;
  std::int64_t integer(const std::string& column, std::int64_t at_least) const;
  Seconds seconds(const std::string& column) const;  // with its unit, > 0

  bool empty(const std::string& column) const { return text(column).empty(); }
  InputError error(const std::string& column, const std::string& problem) const;

private:
  Place place_;
  const std::vector<std::string>* names_;  // of the table
  std::vector<std::string> cells_;
};

// One file. Its rows refer to it.
class CsvFile {
public:
  CsvFile(const std::string& file, const std::string& header);
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  const std::vector<CsvRow>& rows() const { return rows_; }

private:
  std::vector<std::string> names_;
  std::vector<CsvRow> rows_;
};

}  // namespace trainyard
