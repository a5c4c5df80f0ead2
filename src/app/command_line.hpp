// What the user typed: which command, with which options.
#pragma once

namespace trainyard {

// Parses and runs one command; --help and --version too. Returns the exit code 0, or 2 for a
// command line that cannot be understood; other errors are thrown.
int run_command_line(int argc, char** argv);

}  // namespace trainyard
