#include "actors/job_model/step_graph.hpp"

#include "actors/job_model/step_merging.hpp"

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
std::size_t at(Spent spent) { return static_cast<std::size_t>(spent); }

Spent spent_on(Dimension dimension) {
  switch (dimension) {
    case Dimension::Tensor:
      return Spent::Tensor;
    case Dimension::Context:
      return Spent::Context;
    case Dimension::Expert:
      return Spent::Expert;
    case Dimension::Data:
      return Spent::Data;
    case Dimension::Pipeline:
      return Spent::Pipeline;
    case Dimension::Other:
      break;
  }
  return Spent::Other;
}

Spent spent_on(Operation::Purpose purpose) {
  switch (purpose) {
    case Operation::Purpose::LaunchGap:
      return Spent::LaunchGap;
    case Operation::Purpose::Pause:
      return Spent::Pause;
    case Operation::Purpose::Checkpoint:
      return Spent::Checkpoint;
    case Operation::Purpose::Work:
      break;
  }
  return Spent::Compute;
}

class StepGraph {
public:
  StepGraph(const Program& program, const std::vector<GroupSlot>& slots)
      : program_(program), slots_(slots), nodes_(program.operations.size()) {}

  ClassSteps build(const ConstantTimes& constant, const StepGraphOptions& options) {
    connect();
    name(options.slowdown, constant);
    const std::vector<int> order = topological_order();
    drop_implied_edges(nodes_, order);
    if (options.merging != Merging::Off) merge_delays(nodes_, order, options.merging);
    write();
    return std::move(result_);
  }

private:
  void edge(int from, int to) {
    StepNode::Edges& before = nodes_[at(to)].before;
    if (std::find(before.begin(), before.end(), from) != before.end()) return;
    before.push_back(from);
    nodes_[at(from)].after.push_back(to);
  }

  void connect() {
    std::map<int, int> last_on_stream;
    for (std::size_t o = 0; o < nodes_.size(); ++o) {
      const Operation& operation = program_.operations[o];
      const int node = static_cast<int>(o);
      for (const int earlier : operation.after) edge(earlier, node);
      const auto previous = last_on_stream.find(operation.stream);
      if (previous != last_on_stream.end()) edge(previous->second, node);
      last_on_stream[operation.stream] = node;
    }
  }

  void name(double slowdown, const ConstantTimes& constant) {
    std::vector<int> used(slots_.size());
    for (std::size_t o = 0; o < nodes_.size(); ++o) {
      const Operation& operation = program_.operations[o];
      StepNode& node = nodes_[o];
      node.first = static_cast<int>(o);
      node.stream = operation.stream;
      if (operation.kind == Operation::Kind::Compute) {
        const bool works = operation.purpose == Operation::Purpose::Work;
        const double seconds = in_seconds(operation.duration) * (works ? slowdown : 1);
        node.spent[at(spent_on(operation.purpose))] = seconds;
        node.flops = operation.flops;
        const DelayPart part{seconds, works ? seconds : 0, operation.flops, operation.hbm_bytes};
        node.parts.push_back({part, false});
        continue;
      }
      const int slot = static_cast<int>(operation.group);
      const SlotUse use{slot, used[at(slot)]++};
      const auto always = constant[at(slot)][at(use.n)];
      double& seconds = node.spent[at(spent_on(slots_[at(slot)].dimension))];
      seconds = always.value_or(0);
      if (always) {
        node.constant = static_cast<int>(result_.constant.size());
        result_.constant.push_back(use);
        node.parts.push_back({{seconds, 0, 0, 0}, true});
      } else {
        node.delay = false;
        node.use = static_cast<int>(result_.uses.size());
        result_.uses.push_back(use);
      }
    }
  }

  std::vector<int> topological_order() const {
    std::vector<int> order, waiting;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      waiting.push_back(static_cast<int>(nodes_[n].before.size()));
      if (waiting.back() == 0) order.push_back(static_cast<int>(n));
    }
    for (std::size_t next = 0; next < order.size(); ++next)
      for (const int successor : nodes_[at(order[next])].after)
        if (--waiting[at(successor)] == 0) order.push_back(successor);
    return order;
  }

  void write() {
    std::vector<int> position;
    int count = 0;
    for (const StepNode& node : nodes_) position.push_back(node.merged ? -1 : count++);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const StepNode& node = nodes_[n];
      if (node.merged) continue;
      PlayOperation play;
      for (const double seconds : node.spent) play.seconds += seconds;
      play.channel = node.use;
      play.resident = node.constant;
      play.stream = program_.operations[n].stream;
      play.waits_for = static_cast<int>(node.before.size());
      for (const int successor : node.after) play.enables.push_back(position[at(successor)]);
      play.label = static_cast<int>(result_.labels.size());
      result_.labels.push_back(label_of(n));
      if (!node.delay) mark_dimension(n);
      result_.operations.push_back(std::move(play));
    }
  }

  OperationLabel label_of(std::size_t n) const {
    const StepNode& node = nodes_[n];
    const std::string& first = program_.operations[at(node.first)].name;
    const std::string& last = program_.operations[n].name;
    OperationLabel label{first == last ? last : first + ".." + last, node.spent, node.flops};
    if (node.spent[at(Spent::Compute)] > 0)
      label.parts.assign(node.parts.begin(), node.parts.end());
    return label;
  }

  // A collective's time is known only when it is played: a one stands where it will go.
  void mark_dimension(std::size_t n) {
    const int slot = static_cast<int>(program_.operations[n].group);
    result_.labels.back().spent[at(spent_on(slots_[at(slot)].dimension))] = 1;
  }

  const Program& program_;
  const std::vector<GroupSlot>& slots_;
  StepNodes nodes_;
  ClassSteps result_;
};

}  // namespace

ClassSteps steps_of(const Program& program, const std::vector<GroupSlot>& slots,
                    const ConstantTimes& constant, const StepGraphOptions& options) {
  return StepGraph(program, slots).build(constant, options);
}

}  // namespace trainyard
