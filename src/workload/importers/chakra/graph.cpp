#include "workload/importers/chakra/graph.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/recorded/order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace trainyard {

namespace {

using Kind = Operation::Kind;
using Severity = LintFinding::Severity;

bool communicates(const ChakraNode& node) {
  return !node.on_cpu.value_or(false) && node.type >= ChakraNodeType::Send;
}

// CollectiveCommType of the format, by number.
const std::vector<CollectiveKind> kKinds = {
    CollectiveKind::AllReduce, CollectiveKind::Reduce,        CollectiveKind::AllGather,
    CollectiveKind::Gather,    CollectiveKind::Scatter,       CollectiveKind::Broadcast,
    CollectiveKind::AllToAll,  CollectiveKind::ReduceScatter, CollectiveKind::ReduceScatter,
    CollectiveKind::Barrier};

}  // namespace

struct ChakraConverter::Rank {
  int number = 0;
  const std::string& file;
  const std::vector<ChakraNode>& nodes;
};

void ChakraConverter::fail(const Rank& rank, const ChakraNode& node, const std::string& problem) {
  throw InputError({recorded_place(rank.file, "node", node.id)}, printable(node.name), problem);
}

// The first of a kind with its place, the rest counted by add_notes().
void ChakraConverter::warn(const std::string& rule, const Rank& rank, const ChakraNode& node,
                           const std::string& problem) {
  if (++warned_[rule] == 1)
    step_.findings.push_back(
        {Severity::Warning, rule, recorded_place(rank.file, "node", node.id), problem});
}

void ChakraConverter::add_notes() {
  for (const auto& [rule, count] : warned_)
    if (count > 1) step_.notes.push_back(rule + ": " + std::to_string(count) + " in all");
  if (estimated_ > 0)
    step_.notes.push_back(counted(estimated_, "computation") + " timed by their work");
  if (untimed_ > 0)
    step_.notes.push_back(counted(untimed_, "computation") +
                          " with neither a time nor a GPU to tell it by: taken as 0");
}

// By index of the node. Unknown ones are left out.
std::vector<std::vector<int>> ChakraConverter::dependencies(const Rank& rank) {
  std::unordered_map<std::int64_t, int> index;  // looked up only
  index.reserve(rank.nodes.size());
  for (std::size_t i = 0; i < rank.nodes.size(); ++i)
    if (!index.insert({rank.nodes[i].id, static_cast<int>(i)}).second)
      fail(rank, rank.nodes[i], "a second node with this id");
  std::vector<std::vector<int>> data(rank.nodes.size()), control(rank.nodes.size());
  const auto resolve = [&](const ChakraNode& node, const std::vector<std::int64_t>& ids,
                           std::vector<int>& indices) {
    indices.reserve(ids.size());
    for (const std::int64_t id : ids) {
      const auto found = index.find(id);
      if (found != index.end())
        indices.push_back(found->second);
      else
        warn("dangling dependency", rank, node,
             "waits for node " + std::to_string(id) + ", which is not in the file; left out");
    }
  };
  for (std::size_t i = 0; i < rank.nodes.size(); ++i) {
    resolve(rank.nodes[i], rank.nodes[i].data_deps, data[i]);
    resolve(rank.nodes[i], rank.nodes[i].control_deps, control[i]);
  }
  for (const auto& [node, before] : join_dependencies(data, control))
    warn("circular control dependency", rank, rank.nodes[static_cast<std::size_t>(node)],
         "its control dependency on node " +
             std::to_string(rank.nodes[static_cast<std::size_t>(before)].id) +
             " closes a circle; left out");
  return data;
}

void ChakraConverter::convert(int number, const std::vector<ChakraNode>& nodes) {
  RecordedRank& recorded = step_.ranks[static_cast<std::size_t>(number)];
  const Rank rank{number, recorded.file, nodes};
  std::vector<std::vector<int>> after = dependencies(rank);
  const std::vector<int> order = topological_order(after);
  std::vector<int> position(nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    position[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  std::map<std::pair<int, std::int64_t>, int> streams;  // (CPU, GPU or group; number): stream
  recorded.operations.reserve(nodes.size());
  for (const int at : order) {
    const ChakraNode& node = nodes[static_cast<std::size_t>(at)];
    RecordedOperation& operation = recorded.operations.emplace_back();
    Operation& o = operation.operation;
    operation.place = node.id;
    operation.start = microseconds(static_cast<double>(node.start_us));
    o.name = node.name;
    o.after = std::move(after[static_cast<std::size_t>(at)]);
    for (int& before : o.after) before = position[static_cast<std::size_t>(before)];
    if (node.duration_us < 0) fail(rank, node, "a duration below 0");
    const bool wire = communicates(node);
    wire ? communicate(rank, node, operation) : compute(node, operation);
    const std::pair<int, std::int64_t> stream =
        wire ? std::make_pair(2, static_cast<std::int64_t>(o.group))
             : std::make_pair(node.on_cpu.value_or(false) ? 0 : 1, node.stream.value_or(0));
    o.stream = streams.insert({stream, static_cast<int>(streams.size())}).first->second;
  }
}

void ChakraConverter::compute(const ChakraNode& node, RecordedOperation& recorded) {
  Operation& o = recorded.operation;
  o.purpose =
      node.on_cpu.value_or(false) ? Operation::Purpose::LaunchGap : Operation::Purpose::Work;
  o.flops = static_cast<double>(node.operations.value_or(0));
  o.hbm_bytes = static_cast<double>(node.tensor_bytes.value_or(0));
  o.duration = microseconds(static_cast<double>(node.duration_us));
  if (node.start_us > 0) recorded.duration = o.duration;
  if (node.duration_us > 0 || node.on_cpu.value_or(false) || o.flops + o.hbm_bytes <= 0) return;
  if (kernels_ == nullptr) {
    ++untimed_;
    return;
  }
  Kernel kernel;
  kernel.kind = Kernel::Kind::Attention;  // of no shape: its work and its traffic say all
  kernel.flops = o.flops;
  kernel.bytes = o.hbm_bytes;
  o.duration = kernels_->of(kernel);
  ++estimated_;
}

void ChakraConverter::communicate(const Rank& rank, const ChakraNode& node,
                                  RecordedOperation& recorded) {
  Operation& o = recorded.operation;
  o.kind = Kind::Communicate;
  if (node.start_us > 0) recorded.duration = microseconds(static_cast<double>(node.duration_us));
  const std::int64_t bytes_of_a_rank = node.comm_bytes.value_or(0);
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  if (bytes_of_a_rank < 0 || bytes_of_a_rank > kMost)
    fail(rank, node, "comm_size " + std::to_string(bytes_of_a_rank) + " is no number of bytes");
  o.size = Bytes(bytes_of_a_rank);
  if (node.type != ChakraNodeType::Collective) {
    o.collective = CollectiveKind::SendRecv;
    const bool sends = node.type == ChakraNodeType::Send;
    const std::optional<std::int64_t>& peer = sends ? node.to : node.from;
    if (!peer || *peer < 0 || *peer >= static_cast<std::int64_t>(step_.ranks.size()))
      fail(rank, node,
           std::string("its ") + (sends ? "comm_dst" : "comm_src") + " is not a rank of the trace");
    const int other = static_cast<int>(*peer);
    if ((sends ? node.from : node.to).value_or(rank.number) != rank.number)
      fail(rank, node,
           "stands in the file of rank " + std::to_string(rank.number) + ", but is another rank's");
    o.group = Group{sends ? groups_.transfer(rank.number, other, node.tag.value_or(0))
                          : groups_.transfer(other, rank.number, node.tag.value_or(0))};
    return;
  }
  const std::int64_t type = node.comm_type.value_or(-1);
  if (type < 0 || type >= static_cast<std::int64_t>(kKinds.size()))
    fail(rank, node,
         node.comm_type ? "comm_type " + std::to_string(type) + ", known are 0 to 9"
                        : "a collective without comm_type");
  o.collective = kKinds[static_cast<std::size_t>(type)];
  o.group = Group{group_of(rank, node)};
  const auto ranks =
      static_cast<std::int64_t>(step_.groups[static_cast<std::size_t>(o.group)].ranks.size());
  if (o.collective == CollectiveKind::AllGather || o.collective == CollectiveKind::Gather)
    o.size = o.size * ranks;
}

int ChakraConverter::group_of(const Rank& rank, const ChakraNode& node) {
  if (node.group && !node.group->empty()) {
    const auto found = named_.find(*node.group);
    if (found == named_.end()) {
      std::vector<std::string> names;
      for (const auto& [name, ranks] : named_) names.push_back(name);
      fail(rank, node,
           "group '" + printable(*node.group) + "' is defined nowhere" +
               (names.empty() ? "; a file of groups says who is in it"
                              : suggestion(*node.group, names)));
    }
    if (!found->second.empty()) return groups_.of(found->first, found->second);
  } else if (node.some_dimensions) {
    fail(rank, node,
         "involved_dim names some of the dimensions, and which ranks those join "
         "is not in the trace; name the group (pg_name)");
  }
  std::vector<int> all(step_.ranks.size());
  std::iota(all.begin(), all.end(), 0);
  return groups_.of("world", all);
}

}  // namespace trainyard
