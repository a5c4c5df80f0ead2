// Files: plain and gzip, whole or damaged, there or not.
#include "config/section.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <zlib.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
protected:
  Files() { fs::create_directories(folder_); }
  ~Files() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string write_gzip(const std::string& name, const std::string& bytes) const {
    const gzFile file = gzopen(path(name).c_str(), "wb");
    EXPECT_EQ(gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())),
              static_cast<int>(bytes.size()));
    gzclose(file);
    return path(name);
  }

private:
  fs::path folder_ = fs::temp_directory_path() / ("trainyard_files_" + std::to_string(getpid()));
};

std::string read_error(const std::string& file) {
  try {
    read_file(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Text that gzip cannot shrink to a single block.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919LL % 100003) + "\n";
  return text;
}

TEST_F(Files, AreReadAsTheyAre) {
  EXPECT_EQ(read_file(write("plain", std::string("a\0b\r\n", 5))), std::string("a\0b\r\n", 5));
  EXPECT_EQ(read_file(write("empty", "")), "");
}

TEST_F(Files, AreUnpackedIfTheyAreGzip) {
  EXPECT_EQ(read_file(write_gzip("week.swf.gz", long_text())), long_text());
}

TEST_F(Files, ThatAreTruncatedGzipAreErrors) {
  const std::string file = write_gzip("week.swf.gz", long_text());
  fs::resize_file(file, fs::file_size(file) / 2);
  EXPECT_EQ(read_error(file), file + ": damaged gzip: the file ends too early");
}

TEST_F(Files, ThatAreCorruptGzipAreErrors) {
  const std::string file = write_gzip("week.swf.gz", long_text());
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(static_cast<std::streamoff>(fs::file_size(file) - 6));
  bytes << "XX";  // the checksum
  bytes.close();
  EXPECT_EQ(read_error(file), file + ": damaged gzip: the data is not valid");
}

TEST_F(Files, ThatCannotBeReadAreErrorsThatSayWhy) {
  const std::string file = write("plain", "text");
  EXPECT_EQ(read_error(path("absent")),
            path("absent") + ": cannot be read: No such file or directory");
  EXPECT_EQ(read_error(path("")), path("") + ": cannot be read: Is a directory");
  EXPECT_EQ(read_error(file + "/x"), file + "/x: cannot be read: Not a directory");
}

TEST_F(Files, ThatOneMayNotReadAreErrors) {
  const std::string file = write("secret", "text");
  fs::permissions(file, fs::perms::none);
  if (access(file.c_str(), R_OK) == 0) GTEST_SKIP() << "root may read everything";
  EXPECT_EQ(read_error(file), file + ": cannot be read: Permission denied");
}

TEST_F(Files, WithAnExperimentAreLoaded) {
  Document document = Document::load(write("exp.yaml", "seed: 7\n"));
  EXPECT_EQ(document.root().integer("seed", 0), 7);
}

}  // namespace
}  // namespace trainyard
