#include "workload/importers/jobs/dates.hpp"

#include <array>

namespace trainyard {

namespace {

// Days since 1970-01-01 (Hinnant's days_from_civil, for years after 0).
long days_from_civil(int year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const int era = year / 400;
  const int year_of_era = year - era * 400;
  const int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097L + day_of_era - 719468;
}

int days_of(int month, int year) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

// Takes so many digits, and then one of the characters, from the front.
class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  int digits(std::size_t count, int least, int most) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i >= text_.size() || text_[i] < '0' || text_[i] > '9') return fail();
      value = 10 * value + (text_[i] - '0');
    }
    text_.remove_prefix(count);
    return value < least || value > most ? fail() : value;
  }
  bool take(std::string_view any_of) {
    if (text_.empty() || any_of.find(text_.front()) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }
  void need(std::string_view any_of) {
    if (!take(any_of)) fail();
  }
  bool starts_with(char c) const { return !text_.empty() && text_.front() == c; }
  bool is_done() const { return !failed_ && text_.empty(); }

private:
  int fail() {
    failed_ = true;
    return 1;
  }
  std::string_view text_;
  bool failed_ = false;
};

double zone_of(Reader& reader) {
  const bool west = reader.starts_with('-');
  if (reader.take("Z") || !reader.take("+-")) return 0;
  const int hour = reader.digits(2, 0, 14);
  reader.take(":");
  const int minute = reader.digits(2, 0, 59);
  return (west ? -1 : 1) * (3600.0 * hour + 60.0 * minute);
}

}  // namespace

std::optional<double> parse_date(std::string_view text) {
  Reader reader(text);
  const int year = reader.digits(4, 1, 9999);
  reader.need("-");
  const int month = reader.digits(2, 1, 12);
  reader.need("-");
  const int day = reader.digits(2, 1, days_of(month, year));
  reader.need(" T");
  const int hour = reader.digits(2, 0, 23);
  reader.need(":");
  const int minute = reader.digits(2, 0, 59);
  const int second = reader.take(":") ? reader.digits(2, 0, 60) : 0;
  const double zone = zone_of(reader);
  if (!reader.is_done()) return std::nullopt;
  return 86400.0 * static_cast<double>(days_from_civil(year, month, day)) + 3600.0 * hour +
         60.0 * minute + second - zone;
}

}  // namespace trainyard
