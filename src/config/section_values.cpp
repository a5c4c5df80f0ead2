// Section's single values: required, and with a default.
#include "base/text.hpp"
#include "config/section.hpp"
#include "config/section_state.hpp"
#include "config/units.hpp"

#include <cmath>
#include <limits>

namespace trainyard {

namespace {

std::string got(const std::string& text) { return ", got '" + text + "'"; }

std::string range_problem(double at_least, double at_most) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::string problem = "must be a number";
  if (at_least > -infinity && at_most < infinity)
    return problem + " from " + shortest(at_least) + " to " + shortest(at_most);
  if (at_least > -infinity) return problem + " of at least " + shortest(at_least);
  return at_most < infinity ? problem + " of at most " + shortest(at_most) : problem;
}

}  // namespace

std::string Section::text(const std::string& key) { return state_->scalar(key); }

std::string Section::one_of(const std::string& key, const std::vector<std::string>& known) {
  const std::string& word = state_->scalar(key);
  for (const std::string& candidate : known)
    if (word == candidate) return word;
  throw error(key, "unknown value '" + word + "'" + suggestion(word, known));
}

int Section::positive_int(const std::string& key) {
  constexpr int kMax = std::numeric_limits<int>::max();
  const std::string& text = state_->scalar(key);
  const auto value = parse_integer(text);
  if (!value || *value < 1) throw error(key, "must be a positive integer" + got(text));
  if (*value > kMax) throw error(key, "must be at most " + std::to_string(kMax) + got(text));
  return static_cast<int>(*value);
}

std::int64_t Section::integer(const std::string& key, std::int64_t at_least) {
  const std::string& text = state_->scalar(key);
  const auto value = parse_integer(text);
  if (!value || *value < at_least)
    throw error(key, "must be an integer of at least " + std::to_string(at_least) + got(text));
  return *value;
}

double Section::number(const std::string& key, double at_least, double at_most) {
  const std::string& text = state_->scalar(key);
  const auto value = parse_double(text);
  if (!value || !std::isfinite(*value) || *value < at_least || *value > at_most)
    throw error(key, range_problem(at_least, at_most) + got(text));
  return *value;
}

bool Section::yes_no(const std::string& key) {
  const std::string& text = state_->scalar(key);
  const bool yes = text == "on" || text == "true" || text == "yes";
  if (!yes && text != "off" && text != "false" && text != "no")
    throw error(key, "must be on or off" + got(text));
  return yes;
}

namespace {

template <typename Quantity>
Quantity checked(const Section& section, const std::string& key, const std::string& text,
                 Quantity (*parse)(std::string_view, std::string&)) {
  std::string problem;
  const Quantity value = parse(text, problem);
  if (!problem.empty()) throw section.error(key, problem);
  return value;
}

}  // namespace

Bytes Section::bytes(const std::string& key) {
  const std::string& text = state_->scalar(key);
  const Bytes value = checked(*this, key, text, parse_bytes);
  if (value <= Bytes(0)) throw error(key, "must be positive" + got(text));
  return value;
}

Seconds Section::seconds(const std::string& key) {
  const std::string& text = state_->scalar(key);
  const Seconds value = checked(*this, key, text, parse_seconds);
  if (value < Seconds(0)) throw error(key, "must not be negative" + got(text));
  return value;
}

Bandwidth Section::bandwidth(const std::string& key) {
  const std::string& text = state_->scalar(key);
  const Bandwidth value = checked(*this, key, text, parse_bandwidth);
  if (value <= Bandwidth(0)) throw error(key, "must be positive" + got(text));
  return value;
}

// With a default: an absent key is recorded as if it had been written.

std::string Section::text_or(const std::string& key, const std::string& fallback) {
  if (has(key)) return text(key);
  state_->record(key, fallback);
  return fallback;
}

std::string Section::one_of_or(const std::string& key, const std::vector<std::string>& known,
                               const std::string& fallback) {
  if (has(key)) return one_of(key, known);
  state_->record(key, fallback);
  return fallback;
}

std::int64_t Section::integer_or(const std::string& key, std::int64_t at_least,
                                 std::int64_t fallback) {
  if (has(key)) return integer(key, at_least);
  state_->record(key, std::to_string(fallback));
  return fallback;
}

double Section::number_or(const std::string& key, double at_least, double at_most,
                          double fallback) {
  if (has(key)) return number(key, at_least, at_most);
  state_->record(key, shortest(fallback));
  return fallback;
}

bool Section::yes_no_or(const std::string& key, bool fallback) {
  if (has(key)) return yes_no(key);
  state_->record(key, fallback ? "on" : "off");
  return fallback;
}

Bytes Section::bytes_or(const std::string& key, Bytes fallback) {
  if (has(key)) return bytes(key);
  state_->record(key, to_text(fallback));
  return fallback;
}

// An infinite default is written "forever", which is legal only where it is the default.
Seconds Section::seconds_or(const std::string& key, Seconds fallback) {
  const bool endless = fallback == forever();
  const bool present = has(key);
  if (present && !(endless && is_scalar(key) && text(key) == "forever")) return seconds(key);
  state_->record(key, endless ? "forever" : to_text(fallback));
  return fallback;
}

std::optional<std::string> Section::maybe_text(const std::string& key) {
  if (!has(key)) return std::nullopt;
  return text(key);
}

}  // namespace trainyard
