#include "schedulers/process/conversation.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace trainyard {

namespace {

using Clock = std::chrono::steady_clock;

// A decision about every GPU of the largest cluster takes a tenth of it.
constexpr std::size_t kLongestAnswer = std::size_t{64} << 20;

// Its standard input and output are one socket: writing to a program that has ended is then an
// error and not a signal.
pid_t start(const ProgramCommand& program, int its_end) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, program.directory.c_str());
  posix_spawn_file_actions_adddup2(&actions, its_end, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, its_end, STDOUT_FILENO);
  std::vector<std::string> words = program.words;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int problem =
      posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem == 0) return child;
  throw ExternalError(join(program.words, " ") + ": cannot be started in " + program.directory +
                      ": " + std::strerror(problem));
}

// How it ended, if it does so within a second; nothing if it goes on.
std::optional<int> ending(pid_t child) {
  const auto until = Clock::now() + std::chrono::seconds(1);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > until) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return status;
}

std::string in_words(int status) {
  if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Conversation::Conversation(ProgramCommand program) : program_(std::move(program)) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw ExternalError(name() + ": no socket to talk to it: " + std::strerror(errno));
  socket_ = ends[0];
  try {
    child_ = start(program_, ends[1]);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
}

Conversation::~Conversation() {
  close(socket_);
  if (child_ < 0 || ending(child_)) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

std::string Conversation::name() const { return join(program_.words, " "); }

// Waits until the socket can be read, or also written; false if it is too late.
bool Conversation::wait(short events, Clock::time_point until) const {
  pollfd socket{socket_, events, 0};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return left > 0 && poll(&socket, 1, static_cast<int>(left)) > 0;
}

void Conversation::gone(const std::string& about) {
  const std::optional<int> status = ending(child_);
  if (status) child_ = -1;
  throw ExternalError(name() + ": " + (status ? in_words(*status) : "closed its output") +
                      " instead of answering " + about);
}

// Takes in what it has printed.
void Conversation::listen(const std::string& about) {
  char buffer[1 << 16];
  const ssize_t count = recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT);
  if (count > 0) {
    heard_.append(buffer, static_cast<std::size_t>(count));
    if (heard_.size() > kLongestAnswer)
      throw ExternalError(name() + ": its answer to " + about + " is longer than " +
                          std::to_string(kLongestAnswer >> 20) + " MiB");
  } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
    gone(about);
  }
}

std::string Conversation::ask(const std::string& question, const std::string& about) {
  const auto until =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(in_seconds(program_.timeout)));
  if (!heard_.empty())
    throw ExternalError(name() + ": printed what nobody asked for before " + about + ": " +
                        printable(heard_));
  const std::string line = question + "\n";
  std::size_t sent = 0;
  std::size_t end = std::string::npos;
  while (sent < line.size() || (end = heard_.find('\n')) == std::string::npos) {
    const bool speaking = sent < line.size();
    if (!wait(speaking ? POLLIN | POLLOUT : POLLIN, until))
      throw ExternalError(name() + ": gave no answer within " +
                          shortest(in_seconds(program_.timeout)) + " s to " + about);
    listen(about);
    if (!speaking) continue;
    const ssize_t count =
        send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) sent += static_cast<std::size_t>(count);
  }
  std::string answer = heard_.substr(0, end);
  heard_.erase(0, end + 1);
  return answer;
}

}  // namespace trainyard
