#include "actors/failure_plan.hpp"

#include "base/text.hpp"
#include "config/bounds.hpp"
#include "network/surviving_routing.hpp"

#include <algorithm>

namespace trainyard {

namespace {

bool sooner(const PlannedFailure& a, const PlannedFailure& b) {
  if (a.at != b.at) return a.at < b.at;
  if (a.part.node.valid() != b.part.node.valid()) return a.part.node.valid();
  return a.part.node.valid() ? a.part.node < b.part.node : a.part.links < b.part.links;
}

template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const Named& thing : things) names.push_back(thing.name);
  return names;
}

// Without the direction, which "up" and "down" name in trees.
std::string cable_name(const Link& link) {
  const std::size_t end = link.name.rfind('/');
  const std::string last = end == std::string::npos ? "" : link.name.substr(end + 1);
  return last == "up" || last == "down" ? link.name.substr(0, end) : link.name;
}

std::vector<std::string> cable_names(const Platform& platform) {
  std::vector<std::string> names;
  for (const Link& link : platform.links)
    if (link.link_class == LinkClass::Fabric || link.link_class == LinkClass::Nic)
      names.push_back(cable_name(link));
  return names;
}

InputError no_such(const Section& entry, const std::string& kind, const std::string& name,
                   const std::vector<std::string>& known) {
  return entry.error(kind,
                     "no " + kind + " '" + name + "' on this platform" + suggestion(name, known));
}

FailingPart read_node(Section& entry, const Platform& platform) {
  const std::string name = entry.text("node");
  const NodeId node = find_node(platform, name);
  if (!node.valid()) throw no_such(entry, "node", name, names_of(platform.nodes));
  return {node};
}

FailingPart read_links(Section& entry, const Platform& platform, const std::string& kind) {
  const std::string name = entry.text(kind);
  const bool cable = kind == "cable";
  FailingPart part;
  part.links = cable ? find_cable(platform, name) : cables_of_switch(platform, name);
  if (part.links.empty())
    throw no_such(entry, kind, name, cable ? cable_names(platform) : names_of(platform.switches));
  part.factor = entry.number_or("factor", 0, 1, 0);
  if (part.factor == 1) throw entry.error("factor", "1 leaves the bandwidth as it is");
  return part;
}

FailureSpec::Listed read_listed(Section& entry, const Platform& platform) {
  FailureSpec::Listed listed;
  const std::vector<std::string> kinds = {"node", "cable", "switch"};
  const auto given = [&](const std::string& kind) { return entry.has(kind); };
  if (std::count_if(kinds.begin(), kinds.end(), given) != 1)
    throw entry.error("must name what fails: one of node, cable, switch");
  const std::string kind = *std::find_if(kinds.begin(), kinds.end(), given);
  listed.part = kind == "node" ? read_node(entry, platform) : read_links(entry, platform, kind);
  listed.at = bounded_seconds(entry, "at");
  listed.repair = bounded_seconds_or(entry, "repair", hours(1));
  entry.finish();
  return listed;
}

void read_rate(Section& rate, std::optional<Seconds>& mtbf, Seconds& repair) {
  mtbf = bounded_seconds(rate, "mtbf");
  if (*mtbf < Seconds(1)) throw rate.error("mtbf", "must be at least 1 s");
  repair = bounded_seconds_or(rate, "repair", repair);
  rate.finish();
}

Transport read_transport(Section& section) {
  Transport transport;
  transport.timeout = positive_seconds_or(section, "timeout", transport.timeout);
  transport.retries = bounded_int_or(section, "retries", {1, 1000}, transport.retries);
  section.finish();
  return transport;
}

std::vector<std::vector<LinkId>> all_cables(const Platform& platform) {
  std::vector<std::vector<LinkId>> cables;
  for (const Switch& sw : platform.switches)
    for (const std::vector<LinkId>& cable : cables_seen_from(platform, sw)) cables.push_back(cable);
  std::sort(cables.begin(), cables.end());
  cables.erase(std::unique(cables.begin(), cables.end()), cables.end());
  return cables;
}

}  // namespace

bool FailureSpec::links_may_fail() const {
  return cable_mtbf || std::any_of(listed.begin(), listed.end(), [](const Listed& failure) {
           return !failure.part.links.empty();
         });
}

FailureSpec read_failures(Section& section, const Platform& platform) {
  FailureSpec spec;
  if (std::optional<Section> node = section.maybe_section("node"))
    read_rate(*node, spec.node_mtbf, spec.node_repair);
  if (std::optional<Section> cable = section.maybe_section("cable"))
    read_rate(*cable, spec.cable_mtbf, spec.cable_repair);
  if (section.has("list"))
    for (Section& entry : section.sections("list"))
      spec.listed.push_back(read_listed(entry, platform));
  if (std::optional<Section> transport = section.maybe_section("transport"))
    spec.transport = read_transport(*transport);
  section.finish();
  return spec;
}

FailurePlan::FailurePlan(const FailureSpec& spec, const Platform& platform,
                         const RandomSource& random)
    : mtbf_(spec.node_mtbf.value_or(forever())),
      repair_(spec.node_repair),
      cable_repair_(spec.cable_repair),
      cable_stream_(random.stream("failure/cables")) {
  if (spec.node_mtbf)
    for (const Node& node : platform.nodes) {
      NodeStream stream{random.stream("failure/" + node.name), {}};
      stream.upcoming.part.node = platform.gpus[node.first_gpu.index()].node;
      stream.upcoming.at = Seconds(stream.stream.exponential(in_seconds(mtbf_)));
      stream.upcoming.back = stream.upcoming.at + repair_;
      nodes_.push_back(stream);
    }
  if (spec.cable_mtbf) cables_ = all_cables(platform);
  if (!cables_.empty()) {
    cable_gap_ = *spec.cable_mtbf / static_cast<double>(cables_.size());
    upcoming_cable_ = PlannedFailure{};
    draw_cable();
  }
  for (const FailureSpec::Listed& listed : spec.listed)
    listed_.push_back({listed.at, listed.part, listed.at + listed.repair});
  std::sort(listed_.begin(), listed_.end(), sooner);
  std::reverse(listed_.begin(), listed_.end());
}

// All cables together fail as one Poisson process; which of them, is drawn too.
void FailurePlan::draw_cable() {
  PlannedFailure& upcoming = *upcoming_cable_;
  upcoming.at += Seconds(cable_stream_.exponential(in_seconds(cable_gap_)));
  upcoming.part.links = cables_[cable_stream_.below(cables_.size())];
  upcoming.back = upcoming.at + cable_repair_;
}

std::optional<PlannedFailure> FailurePlan::next() {
  const auto node = std::min_element(
      nodes_.begin(), nodes_.end(),
      [](const NodeStream& a, const NodeStream& b) { return sooner(a.upcoming, b.upcoming); });
  const PlannedFailure* first = node == nodes_.end() ? nullptr : &node->upcoming;
  if (upcoming_cable_ && (!first || sooner(*upcoming_cable_, *first))) first = &*upcoming_cable_;
  if (!listed_.empty() && (!first || !sooner(*first, listed_.back()))) {
    const PlannedFailure failure = listed_.back();
    listed_.pop_back();
    return failure;
  }
  if (!first) return std::nullopt;
  const PlannedFailure failure = *first;
  if (first == (upcoming_cable_ ? &*upcoming_cable_ : nullptr)) {
    draw_cable();
  } else {
    node->upcoming.at = failure.back + Seconds(node->stream.exponential(in_seconds(mtbf_)));
    node->upcoming.back = node->upcoming.at + repair_;
  }
  return failure;
}

}  // namespace trainyard
