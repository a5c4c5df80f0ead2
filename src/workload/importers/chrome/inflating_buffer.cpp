#include "workload/importers/chrome/inflating_buffer.hpp"

#include "base/error.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <zlib.h>

namespace trainyard {

void InflatingBuffer::Close::operator()(gzFile_s* input) const { gzclose(input); }

InflatingBuffer::InflatingBuffer(const std::string& file) : file_(file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw InputError({file}, "", "cannot be read: it is a directory");
  errno = 0;
  input_.reset(gzopen(file.c_str(), "rb"));
  if (!input_)
    throw InputError({file}, "", "cannot be read: " + std::generic_category().message(errno));
}

InflatingBuffer::int_type InflatingBuffer::underflow() {
  const int count = gzread(input_.get(), block_.data(), static_cast<unsigned>(block_.size()));
  int code = Z_OK;
  const std::string message = gzerror(input_.get(), &code);
  if (count < 0 || (count == 0 && code == Z_BUF_ERROR))
    throw InputError({file_}, "",
                     code == Z_BUF_ERROR ? "the gzip data ends too early: the file is truncated"
                                         : "the gzip data is damaged: " + message);
  if (count == 0) return traits_type::eof();
  setg(block_.data(), block_.data(), block_.data() + count);
  return traits_type::to_int_type(block_[0]);
}

}  // namespace trainyard
