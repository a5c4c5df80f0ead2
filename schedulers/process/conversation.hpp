// A program that is asked line by line and answers line by line; knows nothing of what is said.
//
// It is started once, in a folder, with its standard input and output connected to us. Whatever
// goes wrong (it cannot be started, ends, is late) is an ExternalError that says so. It is asked to
// end by the end of its input, and killed if it does not.
#pragma once

#include "schedulers/process/program_command.hpp"

#include <chrono>
#include <string>
#include <sys/types.h>

namespace trainyard {

class Conversation {
public:
  explicit Conversation(ProgramCommand program);
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // The next line it prints, without its end. `about`: what it is asked, for errors.
  std::string ask(const std::string& question, const std::string& about);

  // Its command as it would be typed.
  std::string name() const;

private:
  using Clock = std::chrono::steady_clock;
  bool wait(short events, Clock::time_point until) const;
  void listen(const std::string& about);
  [[noreturn]] void gone(const std::string& about);

  ProgramCommand program_;
  pid_t child_ = -1;
  int socket_ = -1;
  std::string heard_;  // of the next line
};

}  // namespace trainyard
