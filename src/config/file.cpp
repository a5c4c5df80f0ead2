#include "config/section.hpp"

#include <cerrno>
#include <memory>
#include <system_error>
#include <zlib.h>

namespace trainyard {

namespace {

InputError unreadable(const std::string& file) {
  return InputError({file}, "", "cannot be read: " + std::generic_category().message(errno));
}

}  // namespace

std::string read_file(const std::string& file) {
  errno = 0;
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> input(gzopen(file.c_str(), "rb"), gzclose);
  if (!input) throw unreadable(file);
  std::string text;
  char buffer[1 << 16];
  int count = 0;
  while ((count = gzread(input.get(), buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<std::size_t>(count));
  int code = Z_OK;
  gzerror(input.get(), &code);
  if (code == Z_ERRNO) throw unreadable(file);
  if (code == Z_BUF_ERROR) throw InputError({file}, "", "damaged gzip: the file ends too early");
  if (count < 0) throw InputError({file}, "", "damaged gzip: the data is not valid");
  return text;
}

}  // namespace trainyard
