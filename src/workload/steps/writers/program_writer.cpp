#include "workload/steps/writers/program_writer.hpp"

#include <algorithm>

namespace trainyard {

namespace {

constexpr int kComputeStream = 0;

void add_once(std::vector<int>& list, int operation) {
  if (operation == ProgramWriter::kNone) return;
  if (std::find(list.begin(), list.end(), operation) == list.end()) list.push_back(operation);
}

}  // namespace

void ProgramWriter::compute(const std::string& name, const Work& work) {
  if (work.duration <= Seconds()) return;  // whoever follows waits in its place
  if (open_ && pending_.empty()) {
    Operation& host = program_.operations[static_cast<std::size_t>(computed_)];
    last_label_ = label_;
    last_name_ = name;
    host.duration += work.duration;
    host.flops += work.flops;
    host.hbm_bytes += work.bytes;
    return;
  }
  close();
  Operation operation;
  operation.name = label_ + name;
  operation.stream = kComputeStream;
  operation.duration = work.duration;
  operation.flops = work.flops;
  operation.hbm_bytes = work.bytes;
  operation.after = std::move(pending_);
  pending_.clear();
  computed_ = add(std::move(operation));
  open_ = true;
}

int ProgramWriter::start(const std::string& name, const Message& message) {
  std::vector<int> after = pending_;
  add_once(after, computed_);
  return start_after(name, message, std::move(after));
}

int ProgramWriter::start_after(const std::string& name, const Message& message,
                               std::vector<int> after) {
  if (message.slot < 0 || !in_group_[static_cast<std::size_t>(message.slot)] ||
      message.size <= Bytes())
    return kNone;
  after.erase(std::remove(after.begin(), after.end(), kNone), after.end());
  if (std::find(after.begin(), after.end(), computed_) != after.end()) close();
  Operation operation;
  operation.name = label_ + name;
  operation.kind = Operation::Kind::Communicate;
  operation.stream = 1 + message.slot;
  operation.collective = message.kind;
  operation.group = Group{message.slot};
  operation.size = message.size;
  operation.after = std::move(after);
  return add(std::move(operation));
}

void ProgramWriter::wait(int operation) { add_once(pending_, operation); }

int ProgramWriter::computed() {
  close();
  return computed_;
}

// "f0 l3 attention..f0 l4 mlp"
void ProgramWriter::close() {
  open_ = false;
  if (last_name_.empty()) return;
  program_.operations[static_cast<std::size_t>(computed_)].name += ".." + last_label_ + last_name_;
  last_name_.clear();
}

Program ProgramWriter::finish() {
  close();
  return std::move(program_);
}

int ProgramWriter::add(Operation operation) {
  program_.operations.push_back(std::move(operation));
  return size() - 1;
}

}  // namespace trainyard
