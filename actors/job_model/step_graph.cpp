#include "actors/job_model/step_graph.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
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

// How far back an implied edge is looked for: it usually is the very next operation.
constexpr int kLookBack = 8;

class StepGraph {
public:
  StepGraph(const Program& program, const std::vector<GroupSlot>& slots)
      : program_(program), slots_(slots), nodes_(program.operations.size()) {}

  ClassSteps build(const ConstantTimes& constant, const StepGraphOptions& options) {
    merging_ = options.merging;
    connect();
    name(options.slowdown, constant);
    const std::vector<int> order = topological_order();
    for (const int n : order) drop_implied(n);
    if (merging_ == Merging::Serial) find_serial();
    if (merging_ != Merging::Off)
      for (const int n : order) merge_into(n);
    write();
    return std::move(result_);
  }

private:
  using Edges = boost::container::small_vector<int, 3>;
  struct Part : DelayPart {
    bool communicates = false;
  };
  struct Node {
    bool delay = true, merged = false;
    bool serial = false;  // a collective of constant time beside which nothing is computed
    int constant = -1;    // of a delay that is a collective and nothing else
    int use = -1;         // of a collective
    int first = 0;        // the first operation merged into it
    TimeSpent spent{};
    double flops = 0;
    std::vector<Part> parts;  // of a delay
    Edges before, after;
  };

  void edge(int from, int to) {
    Edges& before = nodes_[at(to)].before;
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
      Node& node = nodes_[o];
      node.first = static_cast<int>(o);
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

  // Whether `node` comes after `earlier` by a short way.
  bool follows(int node, int earlier, int& look) const {
    if (--look < 0) return false;
    const Edges& before = nodes_[at(node)].before;
    if (std::find(before.begin(), before.end(), earlier) != before.end()) return true;
    return std::any_of(before.begin(), before.end(),
                       [&](int p) { return follows(p, earlier, look); });
  }

  // An edge from an ancestor of another predecessor says nothing new.
  void drop_implied(int n) {
    const Edges before = nodes_[at(n)].before;
    if (before.size() < 2) return;
    for (const int p : before) {
      Edges& left = nodes_[at(n)].before;
      const bool implied = std::any_of(left.begin(), left.end(), [&](int q) {
        int look = kLookBack;
        return q != p && follows(q, p, look);
      });
      if (!implied) continue;
      left.erase(std::find(left.begin(), left.end(), p));
      Edges& after = nodes_[at(p)].after;
      after.erase(std::find(after.begin(), after.end(), n));
    }
  }

  // ---- Merging ----

  bool computes(int n) const { return nodes_[at(n)].spent[at(Spent::Compute)] > 0; }

  // The computation to which single edges lead through delays; -1 where they fork or wait.
  int nearest_computation(int n, Edges Node::*edges) const {
    do {
      if ((nodes_[at(n)].*edges).size() != 1) return -1;
      n = (nodes_[at(n)].*edges).front();
      if (!nodes_[at(n)].delay) return -1;
    } while (!computes(n));
    return n;
  }

  // Where all computing is on one stream, nothing is computed between one computation's end and the
  // start of the next: a collective that stands there has nothing beside it to slow down.
  void find_serial() {
    std::vector<int> place(nodes_.size(), -1);
    int stream = -1, count = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (!computes(static_cast<int>(n))) continue;
      if (count > 0 && program_.operations[n].stream != stream) return;
      stream = program_.operations[n].stream;
      place[n] = count++;
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].constant < 0) continue;
      const int before = nearest_computation(static_cast<int>(n), &Node::before);
      const int after = nearest_computation(static_cast<int>(n), &Node::after);
      nodes_[n].serial = before >= 0 && after >= 0 && place[at(after)] == place[at(before)] + 1;
    }
  }

  bool may_merge(const Node& node) const {
    if (!node.delay) return false;
    return node.constant < 0 || merging_ == Merging::On || node.serial;
  }

  // What is computed in one go is one part, as slow beside collectives as it is on the mean.
  static void append(const std::vector<Part>& later, std::vector<Part>& parts) {
    for (const Part& part : later) {
      if (parts.empty() || parts.back().communicates != part.communicates) {
        parts.push_back(part);
        continue;
      }
      Part& last = parts.back();
      last.seconds += part.seconds;
      last.computing += part.computing;
      last.flops += part.flops;
      last.hbm_bytes += part.hbm_bytes;
    }
  }

  // A delay that only follows one delay, which nothing else waits for, takes it in.
  void merge_into(int n) {
    Node& node = nodes_[at(n)];
    if (node.before.size() != 1 || !may_merge(node)) return;
    const int p = node.before.front();
    Node& earlier = nodes_[at(p)];
    if (earlier.after.size() != 1 || !may_merge(earlier)) return;
    append(node.parts, earlier.parts);
    node.parts = std::move(earlier.parts);
    for (std::size_t s = 0; s < kSpentKinds; ++s) node.spent[s] += earlier.spent[s];
    if (earlier.constant < 0) node.constant = -1;
    node.flops += earlier.flops;
    node.first = earlier.first;
    earlier.merged = true;
    node.before = std::move(earlier.before);
    for (const int before : node.before)
      std::replace(nodes_[at(before)].after.begin(), nodes_[at(before)].after.end(), p, n);
  }

  // ---- The result ----

  void write() {
    std::vector<int> position;
    int count = 0;
    for (const Node& node : nodes_) position.push_back(node.merged ? -1 : count++);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
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
    const Node& node = nodes_[n];
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
  std::vector<Node> nodes_;
  Merging merging_ = Merging::On;
  ClassSteps result_;
};

}  // namespace

ClassSteps steps_of(const Program& program, const std::vector<GroupSlot>& slots,
                    const ConstantTimes& constant, const StepGraphOptions& options) {
  return StepGraph(program, slots).build(constant, options);
}

}  // namespace trainyard
