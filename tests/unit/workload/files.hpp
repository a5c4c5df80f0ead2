// Files for the tests of the readers: made on the spot, or the repository's own, or reference data
// that may be absent.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <zlib.h>

namespace trainyard::testing {

// A file that exists as long as this object; its name is the same length in every run.
class TemporaryFile {
public:
  TemporaryFile(const std::string& name, const std::string& content)
      : path_(std::filesystem::temp_directory_path() /
              ("trainyard_" + std::to_string(getpid()) + "_" + name)) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

inline std::string source_path(const std::string& relative) {
  return std::string(TRAINYARD_SOURCE_DIR) + "/" + relative;
}

inline std::string content_of(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

inline std::string gzipped(const std::string& content) {
  const TemporaryFile file("gzip", "");
  gzFile output = gzopen(file.path().c_str(), "wb");
  gzwrite(output, content.data(), static_cast<unsigned>(content.size()));
  gzclose(output);
  return content_of(file.path());
}

// Reference data is not part of the repository: a test that needs a file which is absent must skip.
inline std::string reference_path(const std::string& relative) {
  const char* root = std::getenv("TRAINYARD_DATA");
  return (root ? std::string(root) : source_path("../shared")) + "/data/" + relative;
}

#define TRAINYARD_NEEDS(path)                                                 \
  if (!std::filesystem::exists(path))                                         \
  GTEST_SKIP() << "REFERENCE DATA ABSENT, nothing was checked: no " << (path) \
               << "; set TRAINYARD_DATA to the folder that holds data/workload"

}  // namespace trainyard::testing
