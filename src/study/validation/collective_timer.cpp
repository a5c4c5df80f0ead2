#include "study/validation/collective_timer.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "network/analytic_network.hpp"
#include "network/choice/communicator.hpp"
#include "schedulers/registry.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

constexpr std::int64_t kReferencePart = 1 << 20;  // bytes a rank: whole for every number of ranks

std::vector<int> rounds_of(const std::vector<Phase>& phases) {
  std::vector<int> rounds;
  rounds.reserve(phases.size());
  for (const Phase& phase : phases) rounds.push_back(phase.rounds);
  return rounds;
}

// Buffers' worth that each phase of transfers moves; none for other patterns, which only scale.
std::vector<double> shares_of(const std::vector<Phase>& phases, Bytes size) {
  std::vector<double> shares;
  shares.reserve(phases.size());
  for (const Phase& phase : phases) {
    double moved = 0;
    if (const auto* edges = std::get_if<std::vector<Edge>>(&phase.pattern))
      for (const Edge& edge : *edges) moved += static_cast<double>(edge.bytes.count());
    shares.push_back(moved / static_cast<double>(std::max<std::int64_t>(size.count(), 1)));
  }
  return shares;
}

// But for chunks cut to whole bytes, of which a small buffer has few.
bool alike(const std::vector<double>& a, const std::vector<double>& b, int ranks, Bytes size) {
  const double cut = 1e-6 + 2.0 * ranks / static_cast<double>(size.count());
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [cut](double x, double y) {
    return std::abs(x - y) <= cut * std::max(1.0, x);
  });
}

void add_sent(const AllPairs& pairs, std::vector<double>& sent) {
  for (std::size_t rank = 0; rank < sent.size(); ++rank)
    for (int i = 0; i < pairs.group; ++i) {
      const Rank to = pairs.member(static_cast<int>(rank), i);
      if (to.index() != rank) sent[rank] += static_cast<double>(pairs.to[to.index()].count());
    }
}

double most_sent(const std::vector<Phase>& phases, int ranks) {
  std::vector<double> sent(static_cast<std::size_t>(ranks));
  for (const Phase& phase : phases) {
    if (const auto* edges = std::get_if<std::vector<Edge>>(&phase.pattern)) {
      for (const Edge& edge : *edges)
        sent[edge.from.index()] += static_cast<double>(edge.bytes.count());
    } else if (const auto* pairs = std::get_if<AllPairs>(&phase.pattern)) {
      add_sent(*pairs, sent);
    } else {
      for (const SwitchPort& port : std::get<InSwitch>(phase.pattern).ports)
        if (port.rank.index() < sent.size())
          sent[port.rank.index()] += static_cast<double>(port.up.count());
    }
  }
  return *std::max_element(sent.begin(), sent.end());
}

FlowGroup scaled(FlowGroup group, double scale) {
  group.length *= scale;
  return group;
}

// Of the group that takes longest.
LinkClass bound_of(const std::vector<FlowGroup>& groups, const Platform& platform,
                   const Capacities& nominal) {
  double longest = -1;
  LinkClass bound = LinkClass::Plain;
  for (const FlowGroup& group : groups) {
    if (group.demands.empty()) continue;
    const double time = group.length / alone_rate(group, nominal);
    if (time <= longest) continue;
    longest = time;
    double tightest = 0;
    for (const Demand& demand : group.demands) {
      const double load = demand.load / nominal[demand.link.index()];
      if (load <= tightest * (1 + 1e-9)) continue;
      tightest = load;
      bound = platform.links[demand.link.index()].link_class;
    }
  }
  return bound;
}

}  // namespace

CollectiveTimer::CollectiveTimer(const Platform& platform, const Routing& routing,
                                 std::vector<GpuId> gpus)
    : platform_(platform),
      routing_(routing),
      nominal_(nominal_capacities(platform)),
      gpus_(std::move(gpus)),
      ranks_per_node_(trainyard::ranks_per_node(gpus_, platform)),
      nodes_((ranks() + ranks_per_node_ - 1) / ranks_per_node_),
      rings_(nccl_rings(gpus_, platform)) {}

Collective CollectiveTimer::collective(CollectiveKind kind, Bytes size) const {
  Collective collective;
  collective.kind = kind;
  collective.ranks = ranks();
  collective.size = size;
  collective.ranks_per_node = ranks_per_node_;
  collective.rings = rings_;
  return collective;
}

CollectiveTimer::Reference CollectiveTimer::lowered(const Collective& collective,
                                                    const AlgorithmEntry& algorithm) const {
  Reference reference;
  const std::vector<Phase> phases = algorithm.phases(collective);
  reference.rounds = rounds_of(phases);
  reference.shares = shares_of(phases, collective.size);
  reference.sent = most_sent(phases, collective.ranks);
  reference.size = collective.size;
  int rounds = 0;
  CollectiveSpec spec;
  spec.collective = collective;
  spec.algorithm = &algorithm;
  spec.members = {gpus_};
  reference.groups = lower_phases(spec, platform_, routing_, rounds);
  return reference;
}

CollectiveCost CollectiveTimer::cost_of(const Reference& reference, double scale) const {
  CollectiveCost cost;
  std::vector<FlowGroup> groups;
  for (const FlowGroup& group : reference.groups) {
    groups.push_back(scaled(group, scale));
    cost.analytic += analytic_duration(groups.back(), platform_);
  }
  const int rounds = std::accumulate(reference.rounds.begin(), reference.rounds.end(), 0);
  cost.known = uncalibrated(groups, {rounds, nominal_});
  cost.sent_by_a_rank = reference.sent * scale;
  cost.bound = bound_of(groups, platform_, nominal_);
  return cost;
}

CollectiveCost CollectiveTimer::cost(CollectiveKind kind, const AlgorithmEntry& algorithm,
                                     Bytes size) {
  auto known = references_.find(&algorithm);
  if (known == references_.end()) {
    const Collective typical = collective(kind, bytes(kReferencePart * ranks()));
    known = references_.emplace(&algorithm, lowered(typical, algorithm)).first;
  }
  const Reference& reference = known->second;
  const Collective wanted = collective(kind, size);
  const std::vector<Phase> phases = algorithm.phases(wanted);
  if (rounds_of(phases) != reference.rounds ||
      !alike(shares_of(phases, size), reference.shares, ranks(), size))
    return cost_of(lowered(wanted, algorithm), 1);
  return cost_of(reference,
                 static_cast<double>(size.count()) / static_cast<double>(reference.size.count()));
}

RoutingSpec routing_alone(const Platform& platform) {
  RoutingSpec spec;
  spec.policy = platform.default_routing;
  return spec;
}

std::vector<GpuId> place_ranks(const Platform& platform, int nodes, int gpus_per_node,
                               const std::string& placement) {
  std::vector<std::string> names;
  const PlacementEntry* found = nullptr;
  for (const PlacementEntry& entry : placements()) {
    names.emplace_back(entry.name);
    if (placement == entry.name) found = &entry;
  }
  if (!found)
    throw InputError({}, "placement",
                     "unknown value '" + placement + "'" + suggestion(placement, names));
  Job job;
  job.gpus = nodes * gpus_per_node;
  job.gpus_per_block = gpus_per_node;
  std::vector<int> free_per_node;
  for (const Node& node : platform.nodes) free_per_node.push_back(node.gpus);
  const std::vector<char> free(platform.gpus.size(), 1);
  const Allocation allocation = found->make({0})->place(job, {platform, free, free_per_node});
  if (allocation.gpus.empty())
    throw InfeasibleError({}, "",
                          std::to_string(nodes) + " nodes of " + std::to_string(gpus_per_node) +
                              " GPUs do not fit on " + platform.name + ", which has " +
                              std::to_string(platform.node_count()) + " nodes and " +
                              std::to_string(platform.gpu_count()) + " GPUs");
  return allocation.gpus;
}

}  // namespace trainyard
