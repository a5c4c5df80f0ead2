#include "actors/algorithms_used.hpp"

#include "config/units.hpp"

#include <algorithm>

namespace trainyard {

namespace {

std::string span(const std::string& from, const std::string& to) {
  return from == to ? to : from + " to " + to;
}

}  // namespace

void AlgorithmsUsed::note(const StepModel& model) {
  for (const auto* channels : {&model.channels, &model.folded})
    for (const Channel& channel : *channels) note(channel);
}

void AlgorithmsUsed::note(const Channel& channel) {
  const Collective& collective = channel.spec->collective;
  const auto [found, is_new] = used_.try_emplace(
      {collective.kind, channel.spec->algorithm->name, channel.chosen_by},
      Range{collective.size, collective.size, collective.ranks, collective.ranks});
  if (is_new) return;
  Range& range = found->second;
  range.smallest = std::min(range.smallest, collective.size);
  range.largest = std::max(range.largest, collective.size);
  range.fewest = std::min(range.fewest, collective.ranks);
  range.most = std::max(range.most, collective.ranks);
}

std::vector<std::string> AlgorithmsUsed::sentences() const {
  std::vector<std::string> sentences;
  for (const auto& [what, range] : used_) {
    const auto& [kind, name, by] = what;
    sentences.push_back(std::string(to_string(kind)) + ": " + name + " (" + to_string(by) + "), " +
                        span(to_text(range.smallest), to_text(range.largest)) + " over " +
                        span(std::to_string(range.fewest), std::to_string(range.most)) + " ranks");
  }
  return sentences;
}

}  // namespace trainyard
