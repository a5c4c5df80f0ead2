#include "actors/step_model.hpp"

#include "actors/operation_graph.hpp"
#include "base/rng.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

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
        other_bytes_(machine.platform->links.size()),
        other_loads_(machine.platform->links.size()) {}

  StepModel build() {
    add_job_wide_channels();
    if (fold_ && tensor_streams() == 0) {
      add_free_ranks();
    } else {
      if (spell_out({0}, 1, 1).ranks_drift_apart()) fold_ = false;
      for (const std::vector<int>& units : alike_units()) add_class(units);
      for (const int unit : unequal_units()) add_single_ranks(unit);
    }
    collect_links();
    return std::move(model_);
  }

private:
  int ranks() const { return static_cast<int>(gpus_.size()); }
  int units() const { return ranks() / tensor_; }
  GpuId gpu(int rank) const { return gpus_[at(rank)]; }
  double slowdown(int rank) const { return machine_.gpu_slowdown[gpu(rank).index()]; }

  Channel make_channel(const Operation& operation, std::vector<std::vector<GpuId>> members) {
    Channel channel;
    Collective& collective = channel.spec.collective;
    collective.kind = operation.collective;
    collective.ranks = static_cast<int>(members.front().size());
    collective.size = operation.size;
    collective.ranks_per_node = ranks_per_node(members.front(), *machine_.platform);
    if (machine_.calibration) collective.rings = channels_of(collective);
    channel.spec.algorithm = choose(operation, collective);
    channel.spec.calibration = machine_.calibration;
    for (const auto& gpus : members) channel.tickets += static_cast<int>(gpus.size());
    channel.spec.members = std::move(members);
    Lowered& known =
        lowered_[{channel.spec.algorithm, collective.size.count(), channel.spec.members}];
    if (known.empty()) known = lower(channel.spec, *machine_.platform, *machine_.routing);
    channel.groups = known;
    return channel;
  }

  const AlgorithmEntry* choose(const Operation& operation, const Collective& collective) {
    const AlgorithmEntry* named = find_algorithm(operation.collective, operation.algorithm);
    if (named && named->applies(collective)) return named;
    const AlgorithmEntry* chosen = &default_algorithm(collective, machine_.calibration);
    if (named) {
      const std::string note = std::string(named->name) + " does not apply to " +
                               std::to_string(collective.ranks) + " ranks, " +
                               std::to_string(collective.ranks_per_node) +
                               " a node in order: " + chosen->name + " is used instead";
      if (std::find(model_.notes.begin(), model_.notes.end(), note) == model_.notes.end())
        model_.notes.push_back(note);
    }
    return chosen;
  }

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
        model_.channels.push_back(make_channel(operation, {members}));
        for (const auto& group : model_.channels.back().groups)
          for (const Demand& demand : group->demands)
            note_load(demand.link, model_.channels.size(), demand.load * group->length);
      }
    }
  }

  void note_load(LinkId link, std::size_t channel, double bytes) {
    other_bytes_[link.index()] += bytes;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &bytes, sizeof bits);
    std::uint64_t& loads = other_loads_[link.index()];
    loads = mix(mix(loads ^ channel) ^ bits);
  }

  bool equal_speed(int unit) const {
    for (int i = 1; i < tensor_; ++i)
      if (slowdown(unit * tensor_ + i) != slowdown(unit * tensor_)) return false;
    return true;
  }

  std::vector<int> unequal_units() const {
    std::vector<int> result;
    for (int unit = 0; unit < units(); ++unit)
      if (!fold_ || !equal_speed(unit)) result.push_back(unit);
    return result;
  }

  // What decides how a unit fares: the speed of its GPUs, and of its NVLinks what is left for it:
  // not only how many bytes, but of which channels, which may come at different times.
  std::vector<double> signature(int unit) const {
    std::vector<double> values = {slowdown(unit * tensor_)};
    if (tensor_ == 1) return values;
    for (int i = 0; i < tensor_; ++i) {
      const Gpu& data = machine_.platform->gpus[gpu(unit * tensor_ + i).index()];
      for (const LinkId link : {data.nvlink_up, data.nvlink_down}) {
        values.push_back(link.valid() ? machine_.capacities[link.index()] : 0);
        values.push_back(link.valid() ? static_cast<double>(other_loads_[link.index()] >> 12U) : 0);
      }
    }
    return values;
  }

  std::vector<std::vector<int>> alike_units() const {
    std::map<std::vector<double>, std::vector<int>> by_signature;
    for (int unit = 0; unit < units(); ++unit)
      if (fold_ && equal_speed(unit)) by_signature[signature(unit)].push_back(unit);
    std::vector<std::vector<int>> classes;
    classes.reserve(by_signature.size());
    for (auto& [values, units] : by_signature) classes.push_back(std::move(units));
    std::sort(classes.begin(), classes.end());
    return classes;
  }

  std::vector<GpuId> unit_gpus(int unit) const {
    const auto first = gpus_.begin() + std::ptrdiff_t{unit} * tensor_;
    return {first, first + tensor_};
  }

  // A tensor collective nobody else can touch: its time is a constant.
  bool has_its_links_to_itself(const Channel& channel) const {
    for (const auto& group : channel.groups)
      for (const Demand& demand : group->demands)
        if (machine_.platform->links[demand.link.index()].link_class != LinkClass::NvLink ||
            other_bytes_[demand.link.index()] > 0)
          return false;
    return tensor_streams() <= 1;
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
      members.push_back(unit_gpus(unit));
      for (int i = 0; i < tensor_; ++i) rank_class.ranks.push_back(unit * tensor_ + i);
    }
    std::vector<int> indices(at(tensor_));
    std::iota(indices.begin(), indices.end(), 0);
    OperationGraph graph =
        spell_out(indices, slowdown(units.front() * tensor_), static_cast<int>(units.size()));
    const int tickets = static_cast<int>(units.size()) * tensor_;
    const int folded_before = static_cast<int>(model_.folded.size());
    add_tensor_collectives(graph, members, tickets);
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
      alike[{slowdown(rank), rank % tensor_}].push_back(rank);
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
    std::map<std::size_t, int> channels;
    for (int i = 0; i < tensor_; ++i) {
      const int rank = unit * tensor_ + i;
      OperationGraph graph = spell_out({i}, slowdown(rank), 1);
      for (auto& [operation, nodes] : graph.tensor_nodes()) {
        if (!channels.count(operation)) {
          channels[operation] = static_cast<int>(model_.channels.size());
          model_.channels.push_back(
              make_channel(program_.operations[operation], {unit_gpus(unit)}));
        }
        graph.make_collective(nodes, channels[operation], 1);
      }
      graph.merge_delays();
      RankClass rank_class;
      rank_class.ranks = {rank};
      rank_class.operations = graph.operations();
      model_.classes.push_back(std::move(rank_class));
    }
  }

  void add_tensor_collectives(OperationGraph& graph, const std::vector<std::vector<GpuId>>& members,
                              int tickets) {
    for (auto& [operation, node] : graph.tensor_nodes()) {
      Channel channel = make_channel(program_.operations[operation], members);
      if (has_its_links_to_itself(channel)) {
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

  void collect_links() {
    std::vector<char> used(machine_.platform->links.size());
    for (const auto* channels : {&model_.channels, &model_.folded})
      for (const Channel& channel : *channels)
        for (const auto& group : channel.groups)
          for (const Demand& demand : group->demands) used[demand.link.index()] = 1;
    for (std::size_t link = 0; link < used.size(); ++link)
      if (used[link]) model_.links.emplace_back(static_cast<std::int64_t>(link));
  }

  const Program& program_;
  const std::vector<GpuId>& gpus_;
  const int tensor_;
  bool fold_;
  const Machine& machine_;
  using Key = std::tuple<const AlgorithmEntry*, std::int64_t, std::vector<std::vector<GpuId>>>;
  std::map<Key, Lowered> lowered_;          // equal buckets are lowered once
  std::vector<double> other_bytes_;         // of data and world collectives, by LinkId
  std::vector<std::uint64_t> other_loads_;  // which channels, and how many bytes of each: a hash
  std::vector<std::vector<int>> job_wide_;  // channels by operation and tensor index
  StepModel model_;
};

}  // namespace

int ranks_per_node(const std::vector<GpuId>& gpus, const Platform& platform) {
  std::set<NodeId> seen;
  int length = 0, current = 0;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const NodeId node = platform.gpus[gpus[i].index()].node;
    ++current;
    const bool last = i + 1 == gpus.size() || platform.gpus[gpus[i + 1].index()].node != node;
    if (!last) continue;
    if (!seen.insert(node).second || (length != 0 && current != length)) return 1;
    length = current;
    current = 0;
  }
  return std::max(1, length);
}

StepModel make_step_model(const Program& program, const Allocation& allocation,
                          const StepModelOptions& options, const Machine& machine) {
  return Builder(program, allocation, options, machine).build();
}

}  // namespace trainyard
