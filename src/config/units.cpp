#include "config/units.hpp"

#include "base/text.hpp"

#include <cmath>
#include <vector>

namespace trainyard {

namespace {

struct Unit {
  const char* name;
  double factor;
};

const std::vector<Unit>& byte_units() {
  static const std::vector<Unit> kUnits = {
      {"B", 1},      {"kB", 1e3},        {"MB", 1e6},       {"GB", 1e9},      {"TB", 1e12},
      {"KiB", 1024}, {"MiB", 1048576.0}, {"GiB", 0x1.0p30}, {"TiB", 0x1.0p40}};
  return kUnits;
}

const std::vector<Unit>& time_units() {
  static const std::vector<Unit> kUnits = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1},
                                           {"min", 60},  {"h", 3600},  {"d", 86400}};
  return kUnits;
}

const std::vector<Unit>& bandwidth_units() {
  static const std::vector<Unit> kUnits = {
      {"B/s", 1},       {"kB/s", 1e3},   {"MB/s", 1e6},        {"GB/s", 1e9},
      {"TB/s", 1e12},   {"KiB/s", 1024}, {"MiB/s", 1048576.0}, {"GiB/s", 0x1.0p30},
      {"bit/s", 0.125}, {"kbit/s", 125}, {"Mbit/s", 125e3},    {"Gbit/s", 125e6},
      {"Tbit/s", 125e9}};
  return kUnits;
}

std::vector<std::string> names(const std::vector<Unit>& units) {
  std::vector<std::string> result;
  for (const Unit& unit : units) result.emplace_back(unit.name);
  return result;
}

double parse(std::string_view text, const std::vector<Unit>& units, std::string& problem) {
  text = trim(text);
  const std::size_t digits = text.find_first_not_of("+-.0123456789eE");
  std::size_t split_at = digits == std::string_view::npos ? text.size() : digits;
  // "1 EB" or "5e": letters e and E belong to the unit unless digits follow them.
  while (split_at > 0 && (text[split_at - 1] == 'e' || text[split_at - 1] == 'E')) --split_at;
  const auto number = parse_double(trim(text.substr(0, split_at)));
  const std::string_view unit_text = trim(text.substr(split_at));
  const std::string quoted = "'" + std::string(text) + "'";
  if (!number || !std::isfinite(*number)) {
    problem = quoted + " is not a number with a unit; units: " + join(names(units));
    return 0;
  }
  if (unit_text.empty()) {
    problem = quoted + " has no unit; units: " + join(names(units));
    return 0;
  }
  for (const Unit& unit : units)
    if (unit_text == unit.name) return *number * unit.factor;
  problem = quoted + ": unknown unit '" + std::string(unit_text) + "'" +
            suggestion(unit_text, names(units));
  return 0;
}

// The unit in which the number has the fewest characters, and among those the largest unit.
std::string write(double si, const std::vector<Unit>& units) {
  std::string best;
  for (const Unit& unit : units) {
    const std::string text = shortest(si / unit.factor);
    if (text.find('e') != std::string::npos && si != 0) continue;
    std::string problem;
    const std::string whole = text + " " + unit.name;
    if (parse(whole, units, problem) != si) continue;
    if (best.empty() || whole.size() <= best.size()) best = whole;
  }
  return best.empty() ? shortest(si) + " " + units.front().name : best;
}

}  // namespace

Bytes parse_bytes(std::string_view text, std::string& problem) {
  const double count = parse(text, byte_units(), problem);
  if (problem.empty() && (count != std::floor(count) || std::abs(count) > 9e18))
    problem = "'" + std::string(text) + "' is not a whole number of bytes";
  return problem.empty() ? Bytes(static_cast<std::int64_t>(count)) : Bytes();
}

Seconds parse_seconds(std::string_view text, std::string& problem) {
  return Seconds(parse(text, time_units(), problem));
}

Bandwidth parse_bandwidth(std::string_view text, std::string& problem) {
  return Bandwidth(parse(text, bandwidth_units(), problem));
}

std::string to_text(Bytes size) { return write(static_cast<double>(size.count()), byte_units()); }

std::string to_text(Seconds time) {
  static const std::vector<Unit> kSeconds = {{"s", 1},    {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3},
                                             {"min", 60}, {"h", 3600},  {"d", 86400}};
  return write(in_seconds(time), kSeconds);
}

std::string to_text(Bandwidth rate) { return write(in_bytes_per_second(rate), bandwidth_units()); }

}  // namespace trainyard
