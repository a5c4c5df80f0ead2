#include "config/section.hpp"

#include <memory>
#include <zlib.h>

namespace trainyard {

std::string read_file(const std::string& file) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> input(gzopen(file.c_str(), "rb"), gzclose);
  if (!input) throw InputError({file}, "", "cannot be read");
  std::string text;
  char buffer[1 << 16];
  int count = 0;
  while ((count = gzread(input.get(), buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<std::size_t>(count));
  int code = Z_OK;
  const char* message = gzerror(input.get(), &code);
  if (count < 0 || code == Z_BUF_ERROR)
    throw InputError({file}, "",
                     code == Z_ERRNO ? "cannot be read" : std::string("damaged gzip: ") + message);
  return text;
}

}  // namespace trainyard
