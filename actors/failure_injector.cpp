#include "actors/failure_injector.hpp"

#include "base/text.hpp"
#include "config/bounds.hpp"

#include <algorithm>
#include <set>

namespace trainyard {

namespace {

bool sooner(const PlannedFailure& a, const PlannedFailure& b) {
  return a.at != b.at ? a.at < b.at : a.node < b.node;
}

std::vector<std::string> node_names(const Platform& platform) {
  std::vector<std::string> names;
  for (const Node& node : platform.nodes) names.push_back(node.name);
  return names;
}

}  // namespace

FailureSpec read_failures(Section& section, const Platform& platform) {
  FailureSpec spec;
  if (std::optional<Section> node = section.maybe_section("node")) {
    spec.node_mtbf = bounded_seconds(*node, "mtbf");
    if (*spec.node_mtbf <= Seconds(0)) throw node->error("mtbf", "must be positive");
    spec.node_repair = bounded_seconds_or(*node, "repair", hours(1));
    node->finish();
  }
  if (section.has("list"))
    for (Section& entry : section.sections("list")) {
      FailureSpec::Listed listed;
      const std::string name = entry.text("node");
      listed.node = find_node(platform, name);
      if (!listed.node.valid())
        throw entry.error("node", "no node '" + name + "' on this platform" +
                                      suggestion(name, node_names(platform)));
      listed.at = bounded_seconds(entry, "at");
      listed.repair = bounded_seconds_or(entry, "repair", hours(1));
      entry.finish();
      spec.listed.push_back(listed);
    }
  section.finish();
  return spec;
}

FailurePlan::FailurePlan(const FailureSpec& spec, const Platform& platform,
                         const RandomSource& random)
    : mtbf_(spec.node_mtbf.value_or(forever())), repair_(spec.node_repair) {
  if (spec.node_mtbf)
    for (const Node& node : platform.nodes) {
      NodeStream stream{random.stream("failure/" + node.name), {}};
      stream.upcoming.node = platform.gpus[node.first_gpu.index()].node;
      stream.upcoming.at = Seconds(stream.stream.exponential(in_seconds(mtbf_)));
      stream.upcoming.back = stream.upcoming.at + repair_;
      nodes_.push_back(stream);
    }
  for (const FailureSpec::Listed& listed : spec.listed)
    listed_.push_back({listed.at, listed.node, listed.at + listed.repair});
  std::sort(listed_.begin(), listed_.end(), sooner);
  std::reverse(listed_.begin(), listed_.end());  // the next is the last
}

std::optional<PlannedFailure> FailurePlan::next() {
  const auto soonest = std::min_element(
      nodes_.begin(), nodes_.end(),
      [](const NodeStream& a, const NodeStream& b) { return sooner(a.upcoming, b.upcoming); });
  const bool random =
      soonest != nodes_.end() && (listed_.empty() || sooner(soonest->upcoming, listed_.back()));
  if (random) {
    const PlannedFailure failure = soonest->upcoming;
    soonest->upcoming.at = failure.back + Seconds(soonest->stream.exponential(in_seconds(mtbf_)));
    soonest->upcoming.back = soonest->upcoming.at + repair_;
    return failure;
  }
  if (listed_.empty()) return std::nullopt;
  const PlannedFailure failure = listed_.back();
  listed_.pop_back();
  return failure;
}

void FailureInjector::operator()() {
  const auto sleep_until = [](Seconds date) {
    const double ahead = in_seconds(date) - simgrid::s4u::Engine::get_clock();
    if (ahead > 1e-9) simgrid::s4u::this_actor::sleep_for(ahead);
  };
  std::set<std::pair<Seconds, NodeId>> down;  // by the time they are back
  const auto is_down = [&down](NodeId node) {
    return std::any_of(down.begin(), down.end(), [&](const auto& d) { return d.second == node; });
  };
  std::optional<PlannedFailure> upcoming = plan_.next();
  while (upcoming || !down.empty()) {
    if (!down.empty() && (!upcoming || down.begin()->first <= upcoming->at)) {
      sleep_until(down.begin()->first);
      scheduler_.post(NodeRepaired{down.begin()->second});
      down.erase(down.begin());
      continue;
    }
    if (!is_down(upcoming->node)) {
      sleep_until(upcoming->at);
      scheduler_.post(NodeFailed{upcoming->node});
      down.emplace(upcoming->back, upcoming->node);
    }
    upcoming = plan_.next();
  }
}

}  // namespace trainyard
