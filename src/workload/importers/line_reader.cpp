#include "workload/importers/line_reader.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <zlib.h>

namespace trainyard {

namespace {

constexpr std::size_t kBlock = 1 << 16;
constexpr std::size_t kLongestLine = 1 << 20;  // beyond that it is not a file of lines

std::string reason_of(int error) { return std::generic_category().message(error); }

}  // namespace

void LineReader::Close::operator()(gzFile_s* input) const { gzclose(input); }

LineReader::LineReader(const std::string& file) : file_(file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw InputError({file}, "", "cannot be read: it is a directory");
  errno = 0;
  input_.reset(gzopen(file.c_str(), "rb"));
  if (!input_) throw InputError({file}, "", "cannot be read: " + reason_of(errno));
}

std::optional<std::string_view> LineReader::next() {
  std::size_t searched = begin_;
  std::size_t end = 0;
  while ((end = buffer_.find('\n', searched)) == std::string::npos) {
    if (buffer_.size() - begin_ > kLongestLine)
      throw InputError({file_, line_ + 1}, "", "a line of more than 1 MiB: not a text file");
    searched = buffer_.size() - begin_;  // read_block() moves the rest to the front
    if (read_block()) continue;
    if (begin_ == buffer_.size()) return std::nullopt;
    return line_up_to(buffer_.size(), 0);
  }
  return line_up_to(end, 1);
}

std::string_view LineReader::line_up_to(std::size_t end, std::size_t line_end_size) {
  std::string_view line(buffer_.data() + begin_, end - begin_);
  begin_ = end + line_end_size;
  ++line_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (line_ == 1 && line.substr(0, kByteOrderMark.size()) == kByteOrderMark)
    line.remove_prefix(kByteOrderMark.size());
  return line;
}

bool LineReader::read_block() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + kBlock);
  errno = 0;
  const int count = gzread(input_.get(), buffer_.data() + kept, kBlock);
  buffer_.resize(kept + static_cast<std::size_t>(count > 0 ? count : 0));
  if (count > 0) return true;
  int code = Z_OK;
  const char* message = gzerror(input_.get(), &code);
  if (count < 0 || code == Z_BUF_ERROR) throw damaged(code, message);
  return false;
}

InputError LineReader::damaged(int code, const std::string& message) const {
  const Place here{file_, line_ + 1};
  if (code == Z_ERRNO) return {here, "", "cannot be read: " + reason_of(errno)};
  if (code == Z_BUF_ERROR) return {here, "", "the gzip data ends too early: the file is truncated"};
  return {here, "", "the gzip data is damaged: " + message};
}

Place LineReader::place(std::size_t column) const {
  return {file_, line_, static_cast<int>(column)};
}

}  // namespace trainyard
