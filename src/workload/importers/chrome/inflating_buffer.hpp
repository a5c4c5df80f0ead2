// A file, plain or .gz, as a stream buffer for parsers that pull characters: one block in memory.
//
// What cannot be read (damaged or truncated gzip data) ends in an InputError thrown from the read.
#pragma once

#include <array>
#include <memory>
#include <streambuf>
#include <string>

struct gzFile_s;  // zlib's, hidden

namespace trainyard {

class InflatingBuffer final : public std::streambuf {
public:
  explicit InflatingBuffer(const std::string& file);

private:
  struct Close {
    void operator()(gzFile_s* input) const;
  };
  int_type underflow() override;

  std::string file_;
  std::unique_ptr<gzFile_s, Close> input_;
  std::array<char, 1 << 16> block_;
};

}  // namespace trainyard
