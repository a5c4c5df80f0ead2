#include "app/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace trainyard::testing {

namespace fs = std::filesystem;

namespace {

constexpr int kPatienceMs = 100'000;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void redirect(int stream, const fs::path& file) {
  const int target = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(target, stream);
  close(target);
}

// A pipe whose reading end is closed.
void redirect_to_nobody(int stream) {
  int ends[2];
  if (pipe(ends) != 0) _exit(99);
  dup2(ends[1], stream);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace

Workplace::Workplace() {
  const fs::path base = fs::temp_directory_path() / ("trainyard_app_" + std::to_string(getpid()));
  path_ = base / "work";
  streams_ = base / "streams";
  fs::remove_all(base);
  fs::create_directories(path_);
  fs::create_directories(streams_);
  fs::copy_file(std::string(TRAINYARD_SOURCE_DIR) + "/platforms/tiny_2x4.xml", path_ / "tiny.xml");
}

Workplace::~Workplace() { fs::remove_all(path_.parent_path()); }

void Workplace::write(const std::string& name, const std::string& content) const {
  fs::create_directories((path_ / name).parent_path());
  std::ofstream(path_ / name, std::ios::binary) << content;
}

std::string Workplace::read(const std::string& name) const { return content_of(path_ / name); }

std::vector<std::string> Workplace::listing(const std::string& folder) const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_ / folder))
    names.push_back(entry.path().lexically_relative(path_ / folder).string());
  std::sort(names.begin(), names.end());
  return names;
}

std::map<std::string, std::string> Workplace::contents(const std::string& folder) const {
  std::map<std::string, std::string> contents;
  for (const std::string& name : listing(folder)) {
    const fs::path file = path_ / folder / name;
    contents[name] = fs::is_directory(file) ? "" : content_of(file);
  }
  return contents;
}

pid_t Workplace::start(const std::vector<std::string>& arguments) const {
  std::vector<std::string> words = {TRAINYARD_BINARY_DIR "/trainyard"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  redirect(STDOUT_FILENO, streams_ / "out");
  redirect(STDERR_FILENO, terminal.empty() ? streams_ / "err" : fs::path(terminal));
  if (closed_output) redirect_to_nobody(STDOUT_FILENO);
  if (chdir(path_.c_str()) != 0) _exit(99);
  if (file_size_limit >= 0) {
    const rlimit limit{static_cast<rlim_t>(file_size_limit), static_cast<rlim_t>(file_size_limit)};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  execv(argv[0], argv.data());
  _exit(99);
}

std::string Workplace::printed(const char* stream) const {
  std::string text = content_of(streams_ / stream);
  for (std::size_t at = 0; (at = text.find(path_.string())) != std::string::npos;)
    text.replace(at, path_.string().size(), "DIR");
  return text;
}

Outcome Workplace::finish(pid_t child) const {
  int status = 0;
  int waited_ms = 0;
  for (; waitpid(child, &status, WNOHANG) == 0 && waited_ms < kPatienceMs; waited_ms += 5)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const bool hung = waited_ms >= kPatienceMs;
  if (hung) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (hung) outcome.code = -1;
  outcome.out = printed("out");
  outcome.err = printed("err");
  return outcome;
}

Outcome Workplace::run(const std::vector<std::string>& arguments) const {
  return finish(start(arguments));
}

std::string fixture(const std::string& name) {
  const fs::path file = std::string(TRAINYARD_SOURCE_DIR) + "/tests/data/app/" + name;
  EXPECT_TRUE(fs::exists(file)) << file;
  return content_of(file);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << "nothing to replace: " << what;
  if (at != std::string::npos) text.replace(at, what.size(), with);
  return text;
}

}  // namespace trainyard::testing
