// The built program as its users meet it: a command line, files in a folder, what it prints, how it
// ends, and what it leaves behind.
#pragma once

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainyard::testing {

struct Outcome {
  int code = 0;  // of the exit; 128 + signal if one ended it; -1 if it hung and was killed
  std::string out, err;
};

// A folder of its own for one test, gone at its end. Programs run inside; where they name it, the
// outcome says "DIR".
class Workplace {
public:
  Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace();

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;

  // Every file and folder below `folder`, sorted, relative to it.
  std::vector<std::string> listing(const std::string& folder = ".") const;
  // The same with what is in the files.
  std::map<std::string, std::string> contents(const std::string& folder) const;

  Outcome run(const std::vector<std::string>& arguments) const;

  // For what a test does to a program while it runs.
  pid_t start(const std::vector<std::string>& arguments) const;
  Outcome finish(pid_t child) const;

  std::int64_t file_size_limit =
      -1;                      // bytes a program may write to a file; -1: as many as it likes
  bool closed_output = false;  // nobody reads what it prints
  std::string terminal;        // the device that errors go to, if any

private:
  std::string printed(const char* stream) const;

  std::filesystem::path path_, streams_;
};

// tests/data/app/<name>, and the experiment of the tests' fixtures with lines added.
std::string fixture(const std::string& name);
std::string replaced(std::string text, const std::string& what, const std::string& with);

}  // namespace trainyard::testing
