#include "workload/importers/chakra/execution_trace.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/chakra/groups.hpp"
#include "workload/importers/chrome/inflating_buffer.hpp"
#include "workload/importers/kineto/meaning.hpp"

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

using Json = nlohmann::json;

// What record_param_comms is called with, counted from its last argument: ..., rank, name, input
// splits, output splits, first rank, stride, ranks. Before those: sequence and (group, its use).
enum FromTheEnd : std::size_t {
  RanksAt = 1,
  StrideAt,
  FirstAt,
  OutSplitsAt,
  InSplitsAt,
  NameAt,
  RankAt,
  GroupAt
};

class Reader {
public:
  Reader(std::string file) : file_(std::move(file)) {
    InflatingBuffer buffer(file_);
    std::istream input(&buffer);
    try {
      json_ = Json::parse(input);
    } catch (const Json::exception& error) {
      throw InputError({file_}, "", "no valid JSON: " + printable(error.what(), 200));
    }
    if (!json_.is_object() || !json_.contains("nodes") || !json_["nodes"].is_array())
      throw InputError({file_}, "", "holds no list \"nodes\"");
    std::size_t number = 0;
    for (const Json& node : json_["nodes"]) {
      if (!node.is_object() || !node.contains("name") || !node["name"].is_string() ||
          !node.contains("id") || !node["id"].is_number_integer())
        throw InputError({file_}, "nodes[" + std::to_string(number) + "]", "has no id or no name");
      ++number;
      const auto& name = node["name"].get_ref<const std::string&>();
      if (name == "record_param_comms") calls_.push_back(&node);
      if (name.find("process_group") != std::string::npos)
        add_listed_groups(values(node).dump(), groups_);
    }
    std::stable_sort(calls_.begin(), calls_.end(), [](const Json* a, const Json* b) {
      return a->at("id").get<std::int64_t>() < b->at("id").get<std::int64_t>();
    });
  }

  const std::string& file() const { return file_; }

  // The most ranks that a group has.
  int world() const {
    int world = highest_rank(groups_) + 1;
    for (const Json* call : calls_)
      world = std::max(world, static_cast<int>(integer(*call, RanksAt).value_or(0)));
    return world;
  }

  std::vector<KinetoKernel> kernels() const {
    std::vector<KinetoKernel> kernels;
    for (const Json* call : calls_) {
      const std::string name = text(*call, NameAt);
      if (name == "wait" || name.empty()) continue;
      KinetoKernel kernel;
      kernel.event = call->at("id").get<std::int64_t>();
      kernel.name = "nccl:" + name;
      kernel.collective = collective(*call, name);
      kernels.push_back(std::move(kernel));
    }
    return kernels;
  }

  KinetoProfile profile() const {
    KinetoProfile profile;
    profile.file = file_;
    profile.groups = groups_;
    return profile;
  }

private:
  [[noreturn]] void fail(const Json& node, const std::string& problem) const {
    throw InputError({recorded_place(file_, "node", node.at("id").get<std::int64_t>())}, "",
                     problem);
  }

  const Json& values(const Json& node) const { return member(node, "inputs"); }

  const Json& member(const Json& node, const char* side) const {
    if (!node.contains(side) || !node[side].is_object() || !node[side].contains("values") ||
        !node[side]["values"].is_array())
      fail(node, std::string("has no list ") + side + ".values");
    return node[side]["values"];
  }

  const Json* argument(const Json& node, FromTheEnd which) const {
    const Json& all = values(node);
    return all.size() < which ? nullptr : &all[all.size() - which];
  }

  std::optional<std::int64_t> integer(const Json& node, FromTheEnd which) const {
    const Json* value = argument(node, which);
    if (value == nullptr || !value->is_number_integer()) return std::nullopt;
    const auto number = value->get<std::int64_t>();
    if (number < 0 || number > (1 << 20)) return std::nullopt;
    return number;
  }

  std::string text(const Json& node, FromTheEnd which) const {
    const Json* value = argument(node, which);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
  }

  KinetoCollective collective(const Json& node, const std::string& name) const {
    KinetoCollective result;
    result.name = name;
    result.dtype = "Byte";  // sizes below are in bytes
    result.in_elements = bytes(values(node)[0], 0);
    result.out_elements = bytes(member(node, "outputs"), 0);
    const Json* group = argument(node, GroupAt);
    if (group != nullptr && group->is_array() && !group->empty() && (*group)[0].is_string())
      result.group = (*group)[0].get<std::string>();
    result.group_size = integer(node, RanksAt);
    const auto first = integer(node, FirstAt), stride = integer(node, StrideAt);
    if (first && stride && result.group_size && *stride > 0) {
      std::vector<std::string> ranks;
      for (std::int64_t i = 0; i < *result.group_size; ++i)
        ranks.push_back(std::to_string(*first + i * *stride));
      result.ranks = "[" + join(ranks) + "]";
    }
    return result;
  }

  // Of tensors: [id, storage, offset, elements, bytes of each, device], in lists of lists.
  static std::optional<std::int64_t> bytes(const Json& value, int depth) {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    constexpr int kDeepest = 8;
    if (!value.is_array() || depth > kDeepest) return std::nullopt;
    if (value.size() == 6 && value[3].is_number_integer() && value[4].is_number_integer()) {
      const auto elements = value[3].get<std::int64_t>(), each = value[4].get<std::int64_t>();
      if (elements < 0 || elements > kMost || each < 0 || each > 64) return std::nullopt;
      return elements * each;
    }
    std::int64_t sum = 0;
    for (const Json& part : value) {
      const std::optional<std::int64_t> more = part.is_array() ? bytes(part, depth + 1) : 0;
      if (!more || sum > kMost) return std::nullopt;
      sum += *more;
    }
    return sum;
  }

  std::string file_;
  Json json_;
  std::vector<const Json*> calls_;
  ChakraGroups groups_;
};

}  // namespace

RecordedStep read_execution_trace(const RecordedOptions& options) {
  RecordedStep step;
  step.format = "pytorch-et";
  step.unit = "node";
  const std::vector<RankFile> files = rank_files(options.files);
  std::vector<Reader> readers;
  readers.reserve(files.size());
  int world = std::max(options.ranks, files.back().rank + 1);
  for (const RankFile& file : files)
    world = std::max(world, readers.emplace_back(file.file).world());
  step.ranks.resize(static_cast<std::size_t>(world));
  step.notes.emplace_back("a trace of the host: collectives in their order, no kernels, no times");
  RecordedGroups groups(step);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::vector<KinetoKernel> kernels = readers[i].kernels();
    const KinetoMeanings meanings =
        meanings_of(readers[i].profile(), kernels, files[i].rank, step, groups);
    RecordedRank& rank = step.ranks[static_cast<std::size_t>(files[i].rank)];
    rank.file = readers[i].file();
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      if (!meanings[k]) continue;
      RecordedOperation& recorded = rank.operations.emplace_back();
      recorded.place = kernels[k].event;
      recorded.operation.name = kernels[k].name;
      recorded.operation.kind = Operation::Kind::Communicate;
      recorded.operation.collective = meanings[k]->kind;
      recorded.operation.size = meanings[k]->size;
      recorded.operation.group = Group{meanings[k]->group};
    }
  }
  return step;
}

}  // namespace trainyard
