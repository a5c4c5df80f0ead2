// A table of text with aligned columns, for the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trainyard {

enum class Align { Left, Right };

struct Column {
  std::string title;
  Align align = Align::Left;
};

class Table {
public:
  explicit Table(std::vector<Column> columns);
  // A cell for each column; missing ones are empty, more than there are columns is a mistake.
  void add(std::vector<std::string> cells);
  // The titles, then the rows; two spaces between columns, none at a line's end. Widths are counted
  // in characters, not bytes.
  //
  // A table wider than `width` breaks its widest left-aligned columns into several lines a row.
  std::string text(std::size_t width = static_cast<std::size_t>(-1)) const;

private:
  std::vector<std::size_t> widths(const std::vector<std::string>& titles, std::size_t width) const;
  std::string line(const std::vector<std::string>& cells,
                   const std::vector<std::size_t>& widths) const;
  std::string row(const std::vector<std::string>& cells,
                  const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace trainyard
