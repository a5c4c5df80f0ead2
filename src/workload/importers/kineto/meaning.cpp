#include "workload/importers/kineto/meaning.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace {

struct NamedKind {
  const char* name;  // PyTorch's
  CollectiveKind kind;
  bool by_output;  // whose total is the output, not the input
};
const NamedKind kKinds[] = {
    {"allreduce", CollectiveKind::AllReduce, false},
    {"all_reduce", CollectiveKind::AllReduce, false},
    {"allreduce_coalesced", CollectiveKind::AllReduce, false},
    {"all_gather", CollectiveKind::AllGather, true},
    {"allgather", CollectiveKind::AllGather, true},
    {"_allgather_base", CollectiveKind::AllGather, true},
    {"allgather_into_tensor_coalesced", CollectiveKind::AllGather, true},
    {"reduce_scatter", CollectiveKind::ReduceScatter, false},
    {"_reduce_scatter_base", CollectiveKind::ReduceScatter, false},
    {"reduce_scatter_tensor_coalesced", CollectiveKind::ReduceScatter, false},
    {"all_to_all", CollectiveKind::AllToAll, false},
    {"all_to_allv", CollectiveKind::AllToAll, false},
    {"alltoall", CollectiveKind::AllToAll, false},
    {"broadcast", CollectiveKind::Broadcast, false},
    {"_broadcast_oop", CollectiveKind::Broadcast, false},
    {"reduce", CollectiveKind::Reduce, false},
    {"_reduce_oop", CollectiveKind::Reduce, false},
    {"gather", CollectiveKind::Gather, true},
    {"scatter", CollectiveKind::Scatter, false},
    {"barrier", CollectiveKind::Barrier, false},
    {"send", CollectiveKind::SendRecv, false},
    {"recv", CollectiveKind::SendRecv, true},
};

// PyTorch's names of element types, and their bytes.
std::optional<std::int64_t> bytes_of(const std::string& dtype) {
  static const std::pair<const char*, std::int64_t> kBytes[] = {
      {"Double", 8}, {"Long", 8},     {"Float", 4},         {"Int", 4},
      {"Half", 2},   {"BFloat16", 2}, {"Short", 2},         {"Byte", 1},
      {"Char", 1},   {"Bool", 1},     {"Float8_e4m3fn", 1}, {"Float8_e5m2", 1}};
  for (const auto& [name, bytes] : kBytes)
    if (dtype == name) return bytes;
  return std::nullopt;
}

// "[0, 1, 5]"; nothing if it is shortened ("...") or no such list.
std::vector<int> listed_ranks(const std::string& text) {
  std::vector<int> ranks;
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return ranks;
  for (const std::string& part : split(text.substr(1, text.size() - 2), ',')) {
    const auto rank = parse_integer(std::string(trim(part)));
    if (!rank || *rank < 0 || *rank >= (1 << 20)) return {};
    ranks.push_back(static_cast<int>(*rank));
  }
  return ranks;
}

class Meanings {
public:
  Meanings(const KinetoProfile& profile, int rank, RecordedStep& step, RecordedGroups& groups)
      : profile_(profile), rank_(rank), step_(step), groups_(groups) {}

  std::optional<KinetoMeaning> of(const KinetoKernel& kernel) {
    if (!kernel.is_nccl()) return std::nullopt;
    std::string unknown;
    const std::optional<KinetoMeaning> meaning = understood(kernel, unknown);
    if (!meaning)
      step_.findings.push_back(
          {LintFinding::Severity::Warning, "unknown collective",
           recorded_place(profile_.file, step_.unit, kernel.event),
           printable(kernel.name) + ": " + unknown + "; it keeps the time it took"});
    return meaning;
  }

private:
  std::optional<KinetoMeaning> understood(const KinetoKernel& kernel, std::string& unknown) {
    if (!kernel.collective) {
      unknown = "the profile does not say its bytes nor its group";
      return std::nullopt;
    }
    const KinetoCollective& c = *kernel.collective;
    const auto* kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                    [&](const NamedKind& k) { return c.name == k.name; });
    if (kind == std::end(kKinds)) {
      unknown = "'" + printable(c.name) + "' is no collective that is known";
      return std::nullopt;
    }
    const auto elements = kind->by_output ? c.out_elements : c.in_elements;
    const auto width = bytes_of(c.dtype);
    constexpr std::int64_t kMost = std::int64_t{1} << 46;
    if (kind->kind != CollectiveKind::Barrier &&
        (!elements || !width || *elements < 0 || *elements > kMost)) {
      unknown = "its elements or their type ('" + printable(c.dtype) + "') are not known";
      return std::nullopt;
    }
    const std::vector<int> ranks = ranks_of(c);
    if (std::find(ranks.begin(), ranks.end(), rank_) == ranks.end()) {
      unknown = "who is in its group is not known";
      return std::nullopt;
    }
    KinetoMeaning meaning;
    meaning.kind = kind->kind;
    meaning.size = Bytes(elements.value_or(0) * width.value_or(0));
    if (kind->kind == CollectiveKind::SendRecv)
      return to_or_from(c, *kind, ranks, meaning, unknown);
    meaning.group = groups_.of(c.group.empty() ? "world" : c.group, ranks);
    return meaning;
  }

  std::optional<KinetoMeaning> to_or_from(const KinetoCollective& c, const NamedKind& kind,
                                          const std::vector<int>& ranks, KinetoMeaning meaning,
                                          std::string& unknown) {
    const bool receives = kind.by_output;
    const auto peer = receives ? c.from : c.to;
    if (!peer || *peer < 0 || *peer >= static_cast<std::int64_t>(ranks.size())) {
      unknown = "its peer is not known";
      return std::nullopt;
    }
    const int other = ranks[static_cast<std::size_t>(*peer)];
    meaning.group =
        receives ? groups_.transfer(other, rank_, 0) : groups_.transfer(rank_, other, 0);
    return meaning;
  }

  std::vector<int> ranks_of(const KinetoCollective& c) const {
    std::vector<int> ranks = listed_ranks(c.ranks);
    if (ranks.empty()) {
      const auto listed = profile_.groups.find(c.group);
      if (listed != profile_.groups.end()) ranks = listed->second;
    }
    const auto world = static_cast<std::int64_t>(step_.ranks.size());
    if (ranks.empty() && c.group_size.value_or(0) == world) {
      ranks.resize(step_.ranks.size());
      std::iota(ranks.begin(), ranks.end(), 0);
    }
    return ranks;
  }

  const KinetoProfile& profile_;
  int rank_;
  RecordedStep& step_;
  RecordedGroups& groups_;
};

}  // namespace

KinetoMeanings meanings_of(const KinetoProfile& profile, const std::vector<KinetoKernel>& kernels,
                           int rank, RecordedStep& step, RecordedGroups& groups) {
  Meanings meanings(profile, rank, step, groups);
  KinetoMeanings result;
  result.reserve(kernels.size());
  for (const KinetoKernel& kernel : kernels) result.push_back(meanings.of(kernel));
  return result;
}

}  // namespace trainyard
