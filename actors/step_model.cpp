#include "actors/step_model.hpp"

#include "actors/channel_maker.hpp"
#include "actors/link_use.hpp"
#include "actors/operation_graph.hpp"
#include "actors/tensor_units.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace trainyard {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Builds the model piece by piece; lives for one call.
class Builder {
public:
  Builder(const Program& program, const Allocation& allocation, const StepModelOptions& options,
          const Machine& machine)
      : program_(program),
        gpus_(allocation.gpus),
        tensor_(options.tensor),
        fold_(options.fold),
        machine_(machine),
        channels_(machine, options.no_trees),
        units_(gpus_, options.tensor, machine) {}

  StepModel build() {
    add_job_wide_channels();
    if (fold_ && tensor_streams() == 0) {
      add_free_ranks();
    } else {
      if (spell_out({0}, 1, 1).ranks_drift_apart()) fold_ = false;
      if (fold_) {
        for (const std::vector<int>& units : units_.alike()) add_class(units);
        for (const int unit : units_.unequal()) add_single_ranks(unit);
      } else {
        for (int unit = 0; unit < units_.count(); ++unit) add_single_ranks(unit);
      }
    }
    model_.links = links_used(model_, machine_);
    model_.notes = channels_.notes();
    return std::move(model_);
  }

private:
  int ranks() const { return static_cast<int>(gpus_.size()); }
  GpuId gpu(int rank) const { return gpus_[at(rank)]; }

  // Data and world collectives: one channel a communicator, shared by all classes.
  void add_job_wide_channels() {
    job_wide_.resize(program_.operations.size());
    for (std::size_t o = 0; o < program_.operations.size(); ++o) {
      const Operation& operation = program_.operations[o];
      if (operation.kind != Operation::Kind::Communicate || operation.group == Group::Tensor)
        continue;
      const int communicators = operation.group == Group::Data ? tensor_ : 1;
      for (int i = 0; i < communicators; ++i) {
        std::vector<GpuId> members;
        for (int rank = i; rank < ranks(); rank += communicators) members.push_back(gpu(rank));
        job_wide_[o].push_back(static_cast<int>(model_.channels.size()));
        model_.channels.push_back(channels_.make(operation, i, {members}));
        units_.note_other_traffic(model_.channels.back());
      }
    }
  }

  // A tensor collective nobody else can touch: its time is a constant.
  bool undisturbed(const Channel& channel) const {
    return units_.has_its_links_to_itself(channel) && tensor_streams() <= 1;
  }

  std::size_t tensor_streams() const {
    std::set<int> streams;
    for (const Operation& operation : program_.operations)
      if (operation.kind == Operation::Kind::Communicate && operation.group == Group::Tensor)
        streams.insert(operation.stream);
    return streams.size();
  }

  void add_class(const std::vector<int>& units) {
    RankClass rank_class;
    std::vector<std::vector<GpuId>> members;
    for (const int unit : units) {
      members.push_back(units_.gpus(unit));
      for (int i = 0; i < tensor_; ++i) rank_class.ranks.push_back(unit * tensor_ + i);
    }
    std::vector<int> indices(at(tensor_));
    std::iota(indices.begin(), indices.end(), 0);
    OperationGraph graph = spell_out(indices, units_.slowdown(units.front() * tensor_),
                                     static_cast<int>(units.size()));
    const int tickets = static_cast<int>(units.size()) * tensor_;
    const int folded_before = static_cast<int>(model_.folded.size());
    add_tensor_collectives(graph, units.front(), members, tickets);
    for (int f = folded_before; f < static_cast<int>(model_.folded.size()); ++f)
      rank_class.folded.push_back(f);
    graph.merge_delays();
    rank_class.operations = graph.operations();
    model_.classes.push_back(std::move(rank_class));
  }

  // Nothing ties the ranks of a tensor group together: alike are those of one tensor index and
  // speed.
  void add_free_ranks() {
    std::map<std::pair<double, int>, std::vector<int>> alike;
    for (int rank = 0; rank < ranks(); ++rank)
      alike[{units_.slowdown(rank), rank % tensor_}].push_back(rank);
    for (auto& [what, ranks] : alike) {
      OperationGraph graph = spell_out({what.second}, what.first, static_cast<int>(ranks.size()));
      graph.merge_delays();
      model_.classes.push_back({std::move(ranks), graph.operations()});
    }
    std::sort(model_.classes.begin(), model_.classes.end(),
              [](const RankClass& a, const RankClass& b) { return a.ranks < b.ranks; });
  }

  // Every rank of the unit on its own; the unit's tensor channels are shared among them.
  void add_single_ranks(int unit) {
    std::map<std::size_t, int> shared;
    for (int i = 0; i < tensor_; ++i) {
      const int rank = unit * tensor_ + i;
      OperationGraph graph = spell_out({i}, units_.slowdown(rank), 1);
      for (auto& [operation, nodes] : graph.tensor_nodes()) {
        if (!shared.count(operation)) {
          shared[operation] = static_cast<int>(model_.channels.size());
          model_.channels.push_back(
              channels_.make(program_.operations[operation], unit, {units_.gpus(unit)}));
        }
        graph.make_collective(nodes, shared[operation], 1);
      }
      graph.merge_delays();
      RankClass rank_class;
      rank_class.ranks = {rank};
      rank_class.operations = graph.operations();
      model_.classes.push_back(std::move(rank_class));
    }
  }

  void add_tensor_collectives(OperationGraph& graph, int first_unit,
                              const std::vector<std::vector<GpuId>>& members, int tickets) {
    for (auto& [operation, node] : graph.tensor_nodes()) {
      Channel channel = channels_.make(program_.operations[operation], first_unit, members);
      if (undisturbed(channel)) {
        graph.make_delay(node, in_seconds(alone_duration(channel.groups, machine_.capacities)));
        model_.folded.push_back(std::move(channel));
        continue;
      }
      graph.make_collective(node, static_cast<int>(model_.channels.size()), tickets);
      model_.channels.push_back(std::move(channel));
    }
  }

  // The program of ranks with these tensor indices, one data collective an index.
  OperationGraph spell_out(const std::vector<int>& indices, double factor, int tickets) const {
    OperationGraph graph;
    for (std::size_t o = 0; o < program_.operations.size(); ++o) {
      const Operation& operation = program_.operations[o];
      if (operation.kind == Operation::Kind::Compute) {
        graph.add_compute(o, in_seconds(operation.duration) * factor);
      } else if (operation.group == Group::Tensor) {
        graph.add_tensor(o);
      } else if (operation.group == Group::Data) {
        for (const int i : indices) graph.add_collective(o, i, job_wide_[o][at(i)], tickets);
      } else {
        const int all = tickets * static_cast<int>(indices.size());
        graph.add_collective(o, -1, job_wide_[o].front(), all);
      }
    }
    graph.connect(program_);
    return graph;
  }

  const Program& program_;
  const std::vector<GpuId>& gpus_;
  const int tensor_;
  bool fold_;
  const Machine& machine_;
  ChannelMaker channels_;
  TensorUnits units_;
  std::vector<std::vector<int>> job_wide_;  // channels by operation and tensor index
  StepModel model_;
};

}  // namespace

const char* to_string(Spent spent) {
  static constexpr std::array<const char*, kSpentKinds> kNames = {
      "compute", "launch_gap", "pause",    "checkpoint", "tensor", "context",
      "expert",  "data",       "pipeline", "other",      "wait"};
  return kNames[static_cast<std::size_t>(spent)];
}

StepModel make_step_model(const Program& program, const Allocation& allocation,
                          const StepModelOptions& options, const Machine& machine) {
  return Builder(program, allocation, options, machine).build();
}

}  // namespace trainyard
