// ProgramWriter: lists a rank's operations in the order in which it issues them.
//
// Computing is on stream 0; every slot has a stream of its own, as every communicator has. What is
// computed waits for what wait() named before; a collective waits for that and for what has been
// computed so far. Computations that nothing can tell apart become one operation.
#pragma once

#include "workload/program.hpp"
#include "workload/steps/kernels/work.hpp"

#include <string>
#include <vector>

namespace trainyard {

struct Message {
  int slot = -1;
  CollectiveKind kind = CollectiveKind::AllReduce;
  Bytes size;
};

class ProgramWriter {
public:
  static constexpr int kNone = -1;  // no operation: nothing to wait for

  // `in_group`: by slot, whether the rank is in a group with others. Messages on other slots are
  // left out: a rank alone communicates nothing.
  explicit ProgramWriter(std::vector<bool> in_group) : in_group_(std::move(in_group)) {}

  // Stands before the names of what follows: "f3 l12 ".
  void label(std::string text) { label_ = std::move(text); }

  void compute(const std::string& name, const Work& work);

  int start(const std::string& name, const Message& message);
  int start_after(const std::string& name, const Message& message, std::vector<int> after);
  void wait(int operation);
  void communicate(const std::string& name, const Message& message) { wait(start(name, message)); }

  // The last computation, or kNone. Nothing more is joined with it.
  int computed();

  // What follows is not joined with what is before.
  void close();
  int size() const { return static_cast<int>(program_.operations.size()); }
  Program finish();

private:
  int add(Operation operation);

  std::vector<bool> in_group_;
  std::string label_;
  Program program_;
  std::vector<int> pending_;  // what the next computation waits for
  int computed_ = kNone;
  bool open_ = false;                   // whether more may be joined with the last computation
  std::string last_label_, last_name_;  // of what has been; "": nothing
};

}  // namespace trainyard
