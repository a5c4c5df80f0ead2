// The program as a user runs it: a folder for its files, and its commands.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::bench {

// Gone at the end, with all that is in it.
class TemporaryFolder {
public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  void write(const std::string& name, const std::string& content) const;

private:
  std::filesystem::path path_;
};

// Without its output. Throws std::runtime_error if it fails.
void run_trainyard(std::vector<std::string> words);

}  // namespace trainyard::bench
