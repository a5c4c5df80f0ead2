#include "report/writers/csv.hpp"

#include "base/text.hpp"

#include <cmath>

namespace trainyard {

std::string as_utf8(std::string_view text) {
  std::string valid;
  for (auto bad = invalid_utf8(text); bad; bad = invalid_utf8(text)) {
    valid.append(text.substr(0, *bad)).append("\xef\xbf\xbd");
    text.remove_prefix(*bad + 1);
  }
  return valid.append(text);
}

std::ostream& CsvLine::next() {
  if (!first_) out_.put(',');
  first_ = false;
  return out_;
}

CsvLine& CsvLine::text(std::string_view value) {
  if (value.find_first_of(",\"\r\n") != std::string_view::npos) return quoted(value);
  next() << as_utf8(value);
  return *this;
}

CsvLine& CsvLine::quoted(std::string_view value) {
  std::string field = "\"";
  for (const char c : as_utf8(value)) field.append(c == '"' ? 2 : 1, c);
  next() << field << '"';
  return *this;
}

CsvLine& CsvLine::number(double value) {
  if (!std::isfinite(value)) return nothing();
  next() << shortest(value + 0.0);  // -0 is 0
  return *this;
}

CsvLine& CsvLine::integer(std::int64_t value) {
  next() << std::to_string(value);
  return *this;
}

CsvLine& CsvLine::nothing() {
  next();
  return *this;
}

}  // namespace trainyard
