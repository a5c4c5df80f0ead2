#include "config/units.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

namespace {

// A unit is times/divided_by of the SI unit. Both are exact in a double, so that "3 us" is the
// double nearest to it (3 * 1e-6 is not always).
struct Unit {
  const char* name;
  double times;
  double divided_by = 1;
};

constexpr Unit kByteUnits[] = {{"B", 1},          {"kB", 1e3},       {"MB", 1e6},
                               {"GB", 1e9},       {"TB", 1e12},      {"KiB", 0x1.0p10},
                               {"MiB", 0x1.0p20}, {"GiB", 0x1.0p30}, {"TiB", 0x1.0p40}};
constexpr Unit kTimeUnits[] = {{"ns", 1, 1e9}, {"us", 1, 1e6}, {"ms", 1, 1e3}, {"s", 1},
                               {"min", 60},    {"h", 3600},    {"d", 86400}};
constexpr Unit kBandwidthUnits[] = {
    {"B/s", 1},          {"kB/s", 1e3},       {"MB/s", 1e6},       {"GB/s", 1e9},   {"TB/s", 1e12},
    {"KiB/s", 0x1.0p10}, {"MiB/s", 0x1.0p20}, {"GiB/s", 0x1.0p30}, {"bit/s", 1, 8}, {"kbit/s", 125},
    {"Mbit/s", 125e3},   {"Gbit/s", 125e6},   {"Tbit/s", 125e9}};

// Which units a text may have: a view of one of the tables above.
struct Units {
  const Unit* first;
  const Unit* last;
  const Unit* begin() const { return first; }
  const Unit* end() const { return last; }
};
constexpr Units kBytes{std::begin(kByteUnits), std::end(kByteUnits)};
constexpr Units kTime{std::begin(kTimeUnits), std::end(kTimeUnits)};
constexpr Units kBandwidth{std::begin(kBandwidthUnits), std::end(kBandwidthUnits)};

std::vector<std::string> names(const Units& units) {
  std::vector<std::string> result;
  for (const Unit& unit : units) result.emplace_back(unit.name);
  return result;
}

struct NumberAndUnit {
  std::string_view number;
  std::string_view unit;
};

NumberAndUnit split_unit(std::string_view text) {
  text = trim(text);
  std::size_t at = std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
  while (at > 0 && (text[at - 1] == 'e' || text[at - 1] == 'E')) --at;  // an exponent has digits
  return {trim(text.substr(0, at)), trim(text.substr(at))};
}

// "Gb/s" is bits to some and bytes to others, a factor of 8: name both rather than guess.
std::string unit_hint(const std::string& unit, const Units& units) {
  const auto ends_with = [&](const std::string& end) {
    return unit.size() >= end.size() &&
           unit.compare(unit.size() - end.size(), end.size(), end) == 0;
  };
  if (ends_with("b/s") || ends_with("bps")) return "; bits are 'Gbit/s', bytes are 'GB/s'";
  return suggestion(unit, names(units));
}

const Unit* find_unit(std::string_view name, const Units& units) {
  const auto* unit = std::find_if(units.begin(), units.end(),
                                  [&](const Unit& known) { return name == known.name; });
  return unit == units.end() ? nullptr : unit;
}

double parse(std::string_view text, const Units& units, std::string& problem) {
  const NumberAndUnit parts = split_unit(text);
  const auto number = parse_double(parts.number);
  const std::string quoted = "'" + std::string(trim(text)) + "'";
  const Unit* unit = find_unit(parts.unit, units);
  if (!number || !std::isfinite(*number))
    problem = quoted + " is not a number with a unit; units: " + join(names(units));
  else if (parts.unit.empty())
    problem = quoted + " has no unit; units: " + join(names(units));
  else if (unit == nullptr)
    problem = quoted + ": unknown unit '" + std::string(parts.unit) + "'" +
              unit_hint(std::string(parts.unit), units);
  else if (!std::isfinite(*number * unit->times))
    problem = quoted + " is too large";
  else
    return *number * unit->times / unit->divided_by;
  return 0;
}

// Whole numbers are multiplied as integers: a double counts bytes only up to 2^53.
std::optional<std::int64_t> parse_exact(std::string_view text) {
  const NumberAndUnit parts = split_unit(text);
  const auto number = parse_integer(parts.number);
  const Unit* unit = find_unit(parts.unit, kBytes);
  std::int64_t count = 0;
  if (!number || unit == nullptr ||
      __builtin_mul_overflow(*number, static_cast<std::int64_t>(unit->times), &count))
    return std::nullopt;
  return count;
}

// How much there is to read; a decimal point counts as two more characters ("30 min", not "0.5 h"),
// an exponent as four ("409.6 TB/s", not "4e+11 KiB/s").
std::size_t length(const std::string& text) {
  const auto has = [&text](const char* what) { return text.find(what) != std::string::npos; };
  return text.size() + (has(".") ? 2 : 0) + (has("e+") || has("e-") ? 4 : 0);
}

// The shortest text that parses back to the same number; of equals, the one with the larger unit.
std::string write(double si, const Units& units) {
  std::string best;
  for (const Unit& unit : units) {
    const std::string text = shortest(si * unit.divided_by / unit.times) + " " + unit.name;
    std::string problem;
    if (parse(text, units, problem) != si || !problem.empty()) continue;
    if (best.empty() || length(text) <= length(best)) best = text;
  }
  return best.empty() ? shortest(si) : best;  // infinite
}

}  // namespace

Bytes parse_bytes(std::string_view text, std::string& problem) {
  if (const auto exact = parse_exact(text)) return Bytes(*exact);
  const double count = parse(text, kBytes, problem);
  if (!problem.empty()) return {};
  if (count != std::floor(count) || std::abs(count) > 9e18) {
    problem = "'" + std::string(trim(text)) + "' is not a whole number of bytes below 8 EiB";
    return {};
  }
  return Bytes(static_cast<std::int64_t>(count));
}

Seconds parse_seconds(std::string_view text, std::string& problem) {
  return Seconds(parse(text, kTime, problem));
}

Bandwidth parse_bandwidth(std::string_view text, std::string& problem) {
  return Bandwidth(parse(text, kBandwidth, problem));
}

std::string to_text(Bytes size) {
  const auto count = static_cast<double>(size.count());
  if (std::abs(count) >= 0x1.0p53) return std::to_string(size.count()) + " B";
  return write(count, kBytes);
}

std::string to_text(Seconds time) {
  return time == Seconds() ? "0 s" : write(in_seconds(time), kTime);
}
std::string to_text(Bandwidth rate) { return write(in_bytes_per_second(rate), kBandwidth); }

}  // namespace trainyard
