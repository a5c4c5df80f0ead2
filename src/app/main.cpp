// trainyard: one command, and errors as messages and exit codes.

#include "app/command_line.hpp"
#include "base/error.hpp"
#include "study/child_runs.hpp"

#include <csignal>
#include <iostream>

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a full disk is an error message, not a signal
  try {
    const int code = trainyard::run_command_line(argc, argv);
    if (!std::cout.flush()) throw trainyard::InputError({}, "standard output", "cannot be written");
    return code;
  } catch (const trainyard::Error& error) {
    std::cerr << "trainyard: " << error.what() << '\n';
    return error.exit_code();
  } catch (const std::exception& error) {
    std::cerr << "trainyard: internal error: " << error.what() << '\n';
    return trainyard::kInternalError;
  }
}
