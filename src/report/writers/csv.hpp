// One line of a CSV file (RFC 4180, but with "\n"): fields are quoted only where they must be.
//
// end() ends the line; a destructor could not, because a stream that fails throws.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace trainyard {

// The text with every byte that is not UTF-8 replaced by U+FFFD: what pandas and JSON can read.
std::string as_utf8(std::string_view text);

class CsvLine {
public:
  explicit CsvLine(std::ostream& out) : out_(out) {}
  CsvLine(const CsvLine&) = delete;
  CsvLine& operator=(const CsvLine&) = delete;

  CsvLine& text(std::string_view value);    // quoted if it holds a comma, a quote or a line end
  CsvLine& quoted(std::string_view value);  // always quoted
  CsvLine& number(double value);            // shortest(); a value that is not finite is empty
  CsvLine& integer(std::int64_t value);
  CsvLine& nothing();
  void end() { out_.put('\n'); }

private:
  std::ostream& next();

  std::ostream& out_;
  bool first_ = true;
};

}  // namespace trainyard
