#include "base/output_file.hpp"

#include "base/error.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace trainyard {

namespace {

// While it lives, writing beyond RLIMIT_FSIZE is an error (EFBIG) and not a signal that kills.
class FileSizeIsAnError {
public:
  FileSizeIsAnError() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &ignore, &before_);
  }
  FileSizeIsAnError(const FileSizeIsAnError&) = delete;
  FileSizeIsAnError& operator=(const FileSizeIsAnError&) = delete;
  ~FileSizeIsAnError() { sigaction(SIGXFSZ, &before_, nullptr); }

private:
  struct sigaction before_ {};
};

std::error_code last_error() {
  return errno != 0 ? std::error_code(errno, std::generic_category())
                    : std::make_error_code(std::errc::io_error);
}

InputError cannot_be_written(const std::string& file, const std::error_code& why) {
  return {{file}, "", "cannot be written: " + why.message()};
}

}  // namespace

void write_file(const std::string& file, const std::string& named, const FileContent& content) {
  const FileSizeIsAnError guard;
  errno = 0;
  try {
    std::ofstream out;
    out.exceptions(std::ios::badbit | std::ios::failbit);
    out.open(file, std::ios::binary | std::ios::trunc);
    content(out);
    out.close();
  } catch (const std::ios_base::failure&) {
    throw cannot_be_written(named, last_error());
  }
}

void write_file_whole(const std::string& file, const FileContent& content) {
  const std::string partial = file + ".partial";
  std::error_code error, ignored;
  const auto kind = std::filesystem::status(file, ignored).type();
  if (kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::regular)
    throw InputError({file}, "", "is not a regular file; it is left alone");
  try {
    write_file(partial, file, content);
  } catch (const InputError&) {
    std::filesystem::remove(partial, ignored);
    throw;
  }
  std::filesystem::rename(partial, file, error);
  if (!error) return;
  std::filesystem::remove(partial, ignored);
  throw cannot_be_written(file, error);
}

}  // namespace trainyard
