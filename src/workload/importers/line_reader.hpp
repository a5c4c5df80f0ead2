// A text file, plain or .gz, line by line: never more in memory than one block and one line.
//
// It knows nothing of any format. A file that is damaged, cut short or not text at all ends in an
// InputError that names the line at which reading stopped.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct gzFile_s;  // zlib's, hidden

namespace trainyard {

class LineReader {
public:
  explicit LineReader(const std::string& file);

  // The next line without its line end (LF or CRLF), valid until the next call; nothing at the end.
  std::optional<std::string_view> next();

  // Of the line last returned; columns count bytes from 1, and 0 means the whole line.
  Place place(std::size_t column = 0) const;

private:
  struct Close {
    void operator()(gzFile_s* input) const;
  };
  bool read_block();  // false at the end of the file
  std::string_view line_up_to(std::size_t end, std::size_t line_end_size);
  InputError damaged(int code, const std::string& message) const;

  std::string file_;
  std::unique_ptr<gzFile_s, Close> input_;
  std::string buffer_;  // read, and from `begin_` on not yet returned
  std::size_t begin_ = 0;
  int line_ = 0;
};

}  // namespace trainyard
