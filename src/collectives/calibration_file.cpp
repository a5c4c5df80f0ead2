// A calibration as CSV, one law a line.
#include "base/error.hpp"
#include "base/text.hpp"
#include "collectives/calibration.hpp"
#include "collectives/registry.hpp"
#include "config/section.hpp"

#include <cmath>

namespace trainyard {

namespace {

const char* const kHeader =
    "collective,algorithm,nodes_from,nodes_to,from_B,to_B,base_us,per_step_us,fill_us,efficiency,"
    "loo_mean,loo_max,source";

// One line's cells, taken by the header's names.
class Cells {
public:
  Cells(const std::string& file, int line, const std::string& text)
      : file_(file), line_(line), cells_(split(text, ',')), names_(split(kHeader, ',')) {
    if (cells_.size() != names_.size())
      throw InputError({file, line}, "",
                       "expected " + std::to_string(names_.size()) + " columns, found " +
                           std::to_string(cells_.size()));
  }

  std::string text(std::size_t column) const { return std::string(trim(cells_[column])); }
  double number(std::size_t column, double at_least, double at_most) const {
    const auto value = parse_double(text(column));
    if (!value || !std::isfinite(*value) || *value < at_least || *value > at_most)
      throw error(column, "must be a number from " + shortest(at_least) + " to " +
                              shortest(at_most) + ", got '" + text(column) + "'");
    return *value;
  }
  std::int64_t integer(std::size_t column, std::int64_t at_least) const {
    const auto value = parse_integer(text(column));
    if (!value || *value < at_least)
      throw error(column, "must be an integer of at least " + std::to_string(at_least) + ", got '" +
                              text(column) + "'");
    return *value;
  }
  InputError error(std::size_t column, const std::string& problem) const {
    return {{file_, line_}, names_[column], problem};
  }

private:
  std::string file_;
  int line_;
  std::vector<std::string> cells_, names_;
};

const AlgorithmEntry& algorithm_of(const Cells& cells) {
  std::vector<std::string> kinds, names;
  for (const AlgorithmEntry& entry : algorithms()) {
    kinds.emplace_back(to_string(entry.kind));
    if (cells.text(0) == kinds.back()) names.emplace_back(entry.name);
    if (cells.text(0) == kinds.back() && cells.text(1) == entry.name) return entry;
  }
  if (names.empty())
    throw cells.error(
        0, "unknown collective '" + cells.text(0) + "'" + suggestion(cells.text(0), kinds));
  throw cells.error(1,
                    "unknown algorithm '" + cells.text(1) + "'" + suggestion(cells.text(1), names));
}

CollectiveLaw law_of(const Cells& cells) {
  constexpr double kLongest = 1e9;  // us
  CollectiveLaw law;
  law.kind = algorithm_of(cells).kind;
  law.algorithm = cells.text(1);
  law.nodes_from = static_cast<int>(cells.integer(2, 1));
  law.nodes_to = static_cast<int>(cells.integer(3, law.nodes_from));
  law.from = bytes(cells.integer(4, 0));
  law.to = bytes(cells.integer(5, law.from.count()));
  law.base = microseconds(cells.number(6, 0, kLongest));
  law.per_step = microseconds(cells.number(7, 0, kLongest));
  law.fill = microseconds(cells.number(8, 0, kLongest));
  law.efficiency = cells.number(9, 1e-6, 1);
  law.loo_mean = cells.number(10, 0, kLongest);
  law.loo_max = cells.number(11, 0, kLongest);
  law.source = cells.text(12);
  return law;
}

}  // namespace

Calibration calibration_of(const Platform& platform) {
  const std::string& name = platform.calibration;
  if (name.size() > 4 && name.compare(name.size() - 4, 4, ".csv") == 0)
    return read_calibration(name);
  Calibration calibration;
  calibration.label = name;
  return calibration;
}

Calibration read_calibration(const std::string& file) {
  Calibration calibration;
  calibration.label = "calibrated";
  int number = 0;
  bool header_seen = false;
  for (const std::string& line : split(read_file(file), '\n')) {
    ++number;
    const std::string text(trim(line));
    if (text.empty() || text[0] == '#') continue;
    if (!header_seen) {
      if (text != kHeader)
        throw InputError({file, number}, "", std::string("the first line must be ") + kHeader);
      header_seen = true;
      continue;
    }
    calibration.laws.push_back(law_of(Cells(file, number, text)));
  }
  if (calibration.laws.empty()) throw InputError({file}, "", "holds no law");
  return calibration;
}

std::string to_csv(const Calibration& calibration) {
  const auto us = [](Seconds time) { return fixed(in_microseconds(time), 4); };
  std::string text = std::string(kHeader) + "\n";
  for (const CollectiveLaw& law : calibration.laws)
    text +=
        join({to_string(law.kind), law.algorithm, std::to_string(law.nodes_from),
              std::to_string(law.nodes_to), std::to_string(law.from.count()),
              std::to_string(law.to.count()), us(law.base), us(law.per_step), us(law.fill),
              fixed(law.efficiency, 6), fixed(law.loo_mean, 4), fixed(law.loo_max, 4), law.source},
             ",") +
        "\n";
  return text;
}

}  // namespace trainyard
