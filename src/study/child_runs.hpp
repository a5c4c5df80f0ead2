// Runs pieces of work in processes of their own, because SimGrid's engine is one per process.
//
// INVARIANT: when run_children() returns or throws, no child is left; a child does not outlive a
// parent that is killed.
#pragma once

#include "base/error.hpp"

#include <csignal>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace trainyard {

constexpr int kInternalError = 70;  // the exit code of a bug of ours: EX_SOFTWARE of sysexits.h

// A child's error, said again by its parent, with the child's exit code.
class ChildError final : public Error {
public:
  ChildError(int exit_code, const std::string& problem) : Error(problem), exit_code_(exit_code) {}
  int exit_code() const override { return exit_code_; }

private:
  int exit_code_;
};

// While it lives, the signals that end a program wait: what is begun is finished first. Signals
// that are ignored (as under nohup) stay so.
class HeldSignals {
public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

  int wait() const;      // for one of them, or SIGCHLD
  void release() const;  // in a child

private:
  sigset_t held_, before_;
};

// Work whose errors end in "(<name>)" unless the name is empty.
struct ChildWork {
  std::vector<std::string> names;               // one a piece
  std::function<void(std::size_t piece)> work;  // in the child; throws if it cannot be done
  std::function<void(std::size_t count)> done;  // in the parent, after each
};

// At most `workers` at a time, in order. Once a piece has failed no later one is started, and those
// that run are killed. Then throws the error of the first piece, in order, that failed: the same
// one however many workers there are. SIGHUP, SIGINT and SIGTERM kill the children and are thrown
// as an error with exit code 128 + signal.
void run_children(const ChildWork& children, int workers);

}  // namespace trainyard
