#include "app/scratch_folder.hpp"

#include "base/error.hpp"

#include <cstdlib>
#include <filesystem>

namespace trainyard {

ScratchFolder::ScratchFolder() {
  path_ = (std::filesystem::temp_directory_path() / "trainyard-XXXXXX").string();
  if (!mkdtemp(path_.data())) throw InputError({}, path_, "cannot be made");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchFolder::file(std::size_t piece) const {
  return path_ + "/" + std::to_string(piece);
}

}  // namespace trainyard
