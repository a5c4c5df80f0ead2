// Errors by whose fault they are: each kind has its own exit code (2, 3, 4, 5).
//
// Thrown where found, caught once in main. A condition that no input can reach is an assert
// instead.
#pragma once

#include <stdexcept>
#include <string>

namespace trainyard {

// Where in a user's file. Lines and columns count from 1; 0 means "the file as a whole".
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

// "file:line:column", without the parts that are 0.
std::string to_string(const Place& place);

class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
  virtual int exit_code() const = 0;
};

// The user's files or arguments are wrong: "file:line:column: path.to.key: problem".
class InputError final : public Error {
public:
  InputError(const Place& place, const std::string& path, const std::string& problem);
  int exit_code() const override { return 2; }
};

// Every file is legal and the plan is impossible; the message names both sides of the
// contradiction.
class InfeasibleError final : public Error {
public:
  InfeasibleError(const Place& place, const std::string& path, const std::string& problem);
  int exit_code() const override { return 3; }
};

// The simulated world is stuck: says at what simulated time, and who waits for what.
class SimulationError final : public Error {
public:
  explicit SimulationError(const std::string& problem) : Error(problem) {}
  int exit_code() const override { return 4; }
};

// A program of the user's that takes part in the run failed: it names the program and what it did.
class ExternalError final : public Error {
public:
  explicit ExternalError(const std::string& problem) : Error(problem) {}
  int exit_code() const override { return 5; }
};

}  // namespace trainyard
