#include "report/table.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace trainyard {

namespace {

// UTF-8 characters: every byte but the continuation bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
  assert(cells.size() <= columns_.size());
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t own = width_of(cells[i]);
    const std::string padding(widths[i] > own ? widths[i] - own : 0, ' ');
    if (i > 0) line += "  ";
    line += columns_[i].align == Align::Right ? padding + cells[i] : cells[i] + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

// Columns of text shrink, the widest first, until all fit or none is worth reading any more.
std::vector<std::size_t> Table::widths(const std::vector<std::string>& titles,
                                       std::size_t width) const {
  constexpr std::size_t kNarrowest = 16;
  std::vector<std::size_t> widths;
  std::size_t all = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths.push_back(width_of(titles[i]));
    for (const auto& row : rows_) widths[i] = std::max(widths[i], width_of(row[i]));
    all += widths[i] + (i > 0 ? 2 : 0);
  }
  while (all > width) {
    std::size_t widest = columns_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].align == Align::Left && widths[i] > kNarrowest &&
          (widest == columns_.size() || widths[i] > widths[widest]))
        widest = i;
    if (widest == columns_.size()) break;
    --widths[widest];
    --all;
  }
  return widths;
}

// As many lines as its longest cell needs.
std::string Table::row(const std::vector<std::string>& cells,
                       const std::vector<std::size_t>& widths) const {
  std::vector<std::vector<std::string>> broken;
  std::size_t lines = 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    broken.push_back(width_of(cells[i]) > widths[i] ? wrapped_lines(cells[i], "", widths[i])
                                                    : std::vector<std::string>{cells[i]});
    lines = std::max(lines, broken.back().size());
  }
  std::string text;
  for (std::size_t n = 0; n < lines; ++n) {
    std::vector<std::string> parts;
    for (const auto& cell : broken) parts.push_back(n < cell.size() ? cell[n] : "");
    text += line(parts, widths);
  }
  return text;
}

std::string Table::text(std::size_t width) const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  const std::vector<std::size_t> columns = widths(titles, width);
  std::string text = row(titles, columns);
  for (const auto& cells : rows_) text += row(cells, columns);
  return text;
}

}  // namespace trainyard
