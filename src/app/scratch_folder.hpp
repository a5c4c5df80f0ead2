// A folder for what child processes leave to their parent; gone when the command ends.
#pragma once

#include <cstddef>
#include <string>

namespace trainyard {

class ScratchFolder {
public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  std::string file(std::size_t piece) const;

private:
  std::string path_;
};

}  // namespace trainyard
