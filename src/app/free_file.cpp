#include "app/free_file.hpp"

#include "base/error.hpp"

#include <filesystem>
#include <system_error>

namespace trainyard {

void check_free(const std::string& file, bool replace) {
  std::error_code ignored;
  if (file.empty()) throw InputError({}, "output file", "is empty");
  if (std::filesystem::is_directory(file, ignored))
    throw InputError({file}, "", "is a directory, not a file to write");
  if (!replace && std::filesystem::exists(file, ignored))
    throw InputError({file}, "", "is there already; --replace replaces it");
}

}  // namespace trainyard
