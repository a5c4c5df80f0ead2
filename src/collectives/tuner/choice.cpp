// From NCCL's choice to an algorithm of ours, and the sentence about it.
#include "collectives/algorithms.hpp"
#include "collectives/tuner/tuner.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace trainyard {
namespace {

struct Names {
  NcclAlgorithm algorithm;
  const char* nccl;
  std::array<const char*, 2> ours;  // the first that applies; a rooted ring is a chain
};
const Names kNames[] = {
    {NcclAlgorithm::Tree, "Tree", {"double_binary_tree", ""}},
    {NcclAlgorithm::Ring, "Ring", {"ring", "chain"}},
    {NcclAlgorithm::CollNetDirect, "CollNetDirect", {"sharp", ""}},
    {NcclAlgorithm::CollNetChain, "CollNetChain", {"sharp", ""}},
    {NcclAlgorithm::Nvls, "NVLS", {"nvls", "sharp"}},  // over several nodes: with CollNet
    {NcclAlgorithm::NvlsTree, "NVLSTree", {"nvls_tree", ""}},
    {NcclAlgorithm::Pat, "PAT", {"ring", ""}},  // PAT has no algorithm of its own here
};

const Names& names_of(NcclAlgorithm algorithm) {
  return kNames[static_cast<std::size_t>(algorithm)];
}

std::string in_us(Seconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f us", in_microseconds(time));
  return text.data();
}

std::string full_name(const Candidate& candidate) {
  return std::string(to_string(candidate.algorithm)) + "/" + to_string(candidate.protocol);
}

std::string percent_slower(Seconds time, Seconds best) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", 100 * (time / best - 1));
  return text.data();
}

AlgorithmChoice by_name(const AlgorithmEntry& entry) {
  AlgorithmChoice choice;
  choice.algorithm = &entry;
  choice.why = std::string(entry.name) + " was named";
  return choice;
}

}  // namespace

const char* to_string(NcclAlgorithm algorithm) { return names_of(algorithm).nccl; }

const char* to_string(NcclProtocol protocol) {
  constexpr std::array<const char*, 3> kTexts = {"LL", "LL128", "Simple"};
  return kTexts[static_cast<std::size_t>(protocol)];
}

const AlgorithmEntry* algorithm_for(NcclAlgorithm algorithm, const Collective& collective) {
  for (const char* name : names_of(algorithm).ours) {
    const AlgorithmEntry* entry = find_algorithm(collective.kind, name);
    if (entry != nullptr && entry->applies(collective)) return entry;
  }
  return nullptr;
}

AlgorithmChoice choose_algorithm(const Collective& collective, const TunerInput& input,
                                 const std::string& named) {
  const AlgorithmEntry* wanted = find_algorithm(collective.kind, named);
  if (wanted != nullptr && wanted->applies(collective)) return by_name(*wanted);
  const std::string refused = named.empty() ? "" : named + " does not apply; ";
  AlgorithmChoice choice;
  for (const Candidate& candidate : nccl_candidates(input)) {
    const AlgorithmEntry* entry =
        choice.algorithm ? nullptr : algorithm_for(candidate.algorithm, collective);
    if (entry == nullptr) {
      choice.others.push_back(candidate);
      continue;
    }
    choice.algorithm = entry;
    choice.nccl = candidate;
    choice.why = refused + "NCCL would choose " + full_name(candidate) + ", " +
                 in_us(candidate.time) + " by its model";
  }
  if (choice.algorithm == nullptr) {
    choice.algorithm = &default_algorithm(collective);
    choice.why = refused + "NCCL has one way to do it";
  } else if (!choice.others.empty()) {
    choice.why +=
        "; next " + full_name(choice.others.front()) + ", " + in_us(choice.others.front().time);
  }
  return choice;
}

std::string explain(const Collective& collective, const AlgorithmChoice& choice,
                    const std::vector<NamedTime>& simulated) {
  std::string text = std::string(to_string(collective.kind)) + " of " +
                     std::to_string(collective.size.count()) + " B over " +
                     std::to_string(collective.ranks) + " ranks: " + choice.algorithm->name + " (" +
                     choice.why + ")";
  const auto faster = [](const NamedTime& a, const NamedTime& b) { return a.second < b.second; };
  const auto best = std::min_element(simulated.begin(), simulated.end(), faster);
  const auto chosen = std::find_if(simulated.begin(), simulated.end(), [&](const NamedTime& time) {
    return time.first == choice.algorithm->name;
  });
  if (best == simulated.end() || chosen == simulated.end()) return text;
  if (!(best->second < chosen->second))
    return text + "; it is the fastest on this network, " + in_us(chosen->second);
  return text + "; on this network it takes " + in_us(chosen->second) + ", " +
         percent_slower(chosen->second, best->second) + " longer than the best, " + best->first +
         " with " + in_us(best->second);
}

}  // namespace trainyard
