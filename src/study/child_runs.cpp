#include "study/child_runs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace trainyard {

namespace {

constexpr std::size_t kLongestMessage = 60000;  // fits a pipe: the child never waits for its parent

bool is_ignored(int signal) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

ChildError ended_by(int signal, const std::string& what) {
  return {128 + signal,
          what + " by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")"};
}

// Does the work in the child. The message goes into the pipe, the exit code is returned.
int report(const std::function<void()>& work, int pipe) {
  std::string message;
  int code = 0;
  try {
    work();
  } catch (const Error& error) {
    message = error.what();
    code = error.exit_code();
  } catch (const std::exception& error) {
    message = std::string("internal error: ") + error.what();
    code = kInternalError;
  }
  message.resize(std::min(message.size(), kLongestMessage));
  if (write(pipe, message.data(), message.size()) < 0) return kInternalError;
  return code;
}

std::string read_all(int pipe) {
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(pipe, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  close(pipe);
  return text;
}

class Children {
public:
  Children(const ChildWork& children, const HeldSignals& signals)
      : children_(children), signals_(signals) {}
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() { kill_from(0); }

  void start(std::size_t piece);
  std::size_t running() const { return running_.size(); }
  void reap();  // those that have ended
  const std::optional<ChildError>& error() const { return error_; }

private:
  struct Child {
    std::size_t piece;
    int message;  // a pipe
  };

  void note(const Child& child, int status);
  void kill_from(std::size_t piece);

  const ChildWork& children_;
  const HeldSignals& signals_;
  std::map<pid_t, Child> running_;
  std::size_t finished_ = 0, failed_ = 0;
  std::optional<ChildError> error_;  // of piece `failed_`
};

void Children::start(std::size_t piece) {
  int ends[2];
  if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  std::fflush(nullptr);  // or the child would print our buffers again
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kInternalError);  // it died before we asked
    signals_.release();
    _exit(report([&] { children_.work(piece); }, ends[1]));
  }
  close(ends[1]);
  running_.emplace(child, Child{piece, ends[0]});
}

void Children::reap() {
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    const auto child = running_.find(pid);
    if (child == running_.end()) continue;
    const Child ended = child->second;
    running_.erase(child);
    note(ended, status);
    children_.done(++finished_);
  }
}

void Children::note(const Child& child, int status) {
  std::string message = read_all(child.message);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  if (error_ && failed_ < child.piece) return;
  failed_ = child.piece;
  const std::string& name = children_.names[child.piece];
  const std::string suffix = name.empty() ? "" : " (" + name + ")";
  if (WIFSIGNALED(status)) {
    const ChildError error = ended_by(WTERMSIG(status), "the run was ended");
    error_.emplace(error.exit_code(), error.what() + suffix);
  } else {
    error_.emplace(WEXITSTATUS(status), message + suffix);
  }
  kill_from(failed_ + 1);
}

void Children::kill_from(std::size_t piece) {
  for (auto child = running_.begin(); child != running_.end();) {
    if (child->second.piece < piece) {
      ++child;
      continue;
    }
    kill(child->first, SIGKILL);
    waitpid(child->first, nullptr, 0);
    close(child->second.message);
    child = running_.erase(child);
  }
}

}  // namespace

HeldSignals::HeldSignals() {
  std::signal(SIGCHLD,
              SIG_DFL);  // ignored, as some parents leave it, children could not be awaited
  sigemptyset(&held_);
  sigaddset(&held_, SIGCHLD);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM})
    if (!is_ignored(signal)) sigaddset(&held_, signal);
  sigprocmask(SIG_BLOCK, &held_, &before_);
}

HeldSignals::~HeldSignals() { release(); }

void HeldSignals::release() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }

int HeldSignals::wait() const {
  int signal = 0;
  sigwait(&held_, &signal);
  return signal;
}

void run_children(const ChildWork& children, int workers) {
  const HeldSignals signals;
  Children running(children, signals);
  const std::size_t pieces = children.names.size();
  const auto most = static_cast<std::size_t>(std::max(1, workers));
  for (std::size_t next = 0; running.running() > 0 || (next < pieces && !running.error());) {
    while (next < pieces && !running.error() && running.running() < most) running.start(next++);
    const int signal = signals.wait();
    if (signal != SIGCHLD) throw ended_by(signal, "interrupted");
    running.reap();
  }
  if (running.error()) throw *running.error();
}

}  // namespace trainyard
