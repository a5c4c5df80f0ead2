#include "platforms/properties.hpp"

#include "base/text.hpp"
#include "config/units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

void Properties::add(const std::string& id, const Value& value) {
  const auto [existing, added] = values_.emplace(id, value);
  if (!added)
    throw InputError(value.place, zone_ + "." + id,
                     "given twice, first at " + to_string(existing->second.place));
}

void Properties::override_with(const std::string& id, const Value& value) { values_[id] = value; }

void Properties::note(const std::string& id) {
  if (std::find(asked_.begin(), asked_.end(), id) == asked_.end()) asked_.push_back(id);
}

bool Properties::has(const std::string& id) {
  note(id);
  return values_.count(id) != 0;
}

const Properties::Value& Properties::require(const std::string& id) {
  note(id);
  const auto value = values_.find(id);
  if (value != values_.end()) return value->second;
  // A missing property and an unknown one that looks like it are one mistake: name the unknown one.
  for (const auto& [given, ignored] : values_)
    if (std::find(asked_.begin(), asked_.end(), given) == asked_.end() &&
        !near_match(given, {id}).empty())
      throw unknown(given, {id});
  throw error(id, "is missing");
}

const Place& Properties::place_of(const std::string& id) const {
  const auto value = values_.find(id);
  return value == values_.end() ? place_ : value->second.place;
}

InputError Properties::error(const std::string& id, const std::string& problem) const {
  return {place_of(id), zone_ + "." + id, problem};
}

InfeasibleError Properties::infeasible(const std::string& id, const std::string& problem) const {
  return {place_of(id), zone_ + "." + id, problem};
}

InputError Properties::unknown(const std::string& id, const std::vector<std::string>& known) const {
  return error(id, "unknown property" + suggestion(id, known));
}

void Properties::finish() const {
  for (const auto& [id, value] : values_)
    if (std::find(asked_.begin(), asked_.end(), id) == asked_.end()) throw unknown(id, asked_);
}

std::string Properties::text(const std::string& id) {
  std::string text(trim(require(id).text));
  if (text.empty()) throw error(id, "is empty");
  return text;
}

std::string Properties::text_or(const std::string& id, const std::string& fallback) {
  return has(id) ? text(id) : fallback;
}

std::string Properties::one_of(const std::string& id, const std::vector<std::string>& known) {
  std::string word = text(id);
  if (std::find(known.begin(), known.end(), word) == known.end())
    throw error(id, "unknown value '" + word + "'" + suggestion(word, known));
  return word;
}

std::string Properties::one_of_or(const std::string& id, const std::vector<std::string>& known,
                                  const std::string& fallback) {
  return has(id) ? one_of(id, known) : fallback;
}

int Properties::positive_int_in(const std::string& id, const std::string& text) const {
  const auto value = parse_integer(text);
  if (!value || *value <= 0 || *value > std::numeric_limits<int>::max())
    throw error(id, "must be a positive integer, got '" + text + "'");
  return static_cast<int>(*value);
}

Bandwidth Properties::bandwidth_in(const std::string& id, const std::string& text) const {
  std::string problem;
  const Bandwidth value = parse_bandwidth(text, problem);
  if (!problem.empty()) throw error(id, problem);
  if (!(value > Bandwidth())) throw error(id, "must be positive, got '" + text + "'");
  return value;
}

Seconds Properties::seconds_in(const std::string& id, const std::string& text) const {
  std::string problem;
  const Seconds value = parse_seconds(text, problem);
  if (!problem.empty()) throw error(id, problem);
  if (value < Seconds()) throw error(id, "must not be negative, got '" + text + "'");
  return value;
}

int Properties::positive_int(const std::string& id) { return positive_int_in(id, text(id)); }

int Properties::positive_int_or(const std::string& id, int fallback) {
  return has(id) ? positive_int(id) : fallback;
}

int Properties::count(const std::string& id) {
  const std::string given = text(id);
  const auto value = parse_integer(given);
  if (!value || *value < 0 || *value > std::numeric_limits<int>::max())
    throw error(id, "must be a number, 0 or more, got '" + given + "'");
  return static_cast<int>(*value);
}

Bandwidth Properties::bandwidth(const std::string& id) { return bandwidth_in(id, text(id)); }

Seconds Properties::seconds(const std::string& id) { return seconds_in(id, text(id)); }

std::vector<std::string> Properties::items(const std::string& id) {
  std::vector<std::string> items;
  for (const std::string& item : split(text(id), ',')) items.emplace_back(trim(item));
  return items;
}

std::vector<double> Properties::numbers(const std::string& id) {
  std::vector<double> values;
  for (const std::string& item : items(id)) {
    const auto value = parse_double(item);
    if (!value || !std::isfinite(*value) || *value <= 0)
      throw error(id, "must be a positive number, got '" + item + "'");
    values.push_back(*value);
  }
  return values;
}

std::vector<int> Properties::positive_ints(const std::string& id) {
  std::vector<int> values;
  for (const std::string& item : items(id)) values.push_back(positive_int_in(id, item));
  return values;
}

std::vector<Bandwidth> Properties::bandwidths(const std::string& id) {
  std::vector<Bandwidth> values;
  for (const std::string& item : items(id)) values.push_back(bandwidth_in(id, item));
  return values;
}

std::vector<Seconds> Properties::seconds_list(const std::string& id) {
  std::vector<Seconds> values;
  for (const std::string& item : items(id)) values.push_back(seconds_in(id, item));
  return values;
}

}  // namespace trainyard
