#include "schedulers/slurm/select/choose_nodes.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

Offers offers_of(const SelectionOf& s, const NodeSet& candidates, const ClusterUse& use) {
  Offers offers(s.site.nodes.size());
  candidates.each([&](int node) {
    offers[static_cast<std::size_t>(node)] =
        offer_of(s.site, s.partition, s.request, node, use[node]);
  });
  return offers;
}

NodeSet with_offers(const NodeSet& candidates, const Offers& offers) {
  NodeSet nodes = candidates;
  candidates.each([&](int node) {
    if (offers[static_cast<std::size_t>(node)].cpus == 0) nodes.remove(node);
  });
  return nodes;
}

// Against the knapsack problem: leave out the nodes that have least, more and more of them.
Nodes without_smallest(const Evaluation& e, NodeSet candidates) {
  int most = 0;
  const auto resources = [&](int node) {
    const Offer& offer = e.offers[static_cast<std::size_t>(node)];
    return offer.cpus + offer.gpus;
  };
  candidates.each([&](int node) { most = std::max(most, resources(node)); });
  int rest = candidates.count();
  for (int least = 1; least < most && rest > e.counts.least; ++least) {
    NodeSet fewer = candidates;
    candidates.each([&](int node) {
      const bool required = e.request.has_required() && e.request.required.has(node);
      if (rest <= e.counts.least || required || resources(node) > least) return;
      fewer.remove(node), --rest;
    });
    if (fewer == candidates) continue;
    candidates = fewer;
    if (Nodes nodes = evaluate(e, candidates)) return nodes;
  }
  return {};
}

}  // namespace

NodeCounts node_counts(const SlurmPartition& partition, const Request& request) {
  NodeCounts counts;
  counts.least = std::max(request.min_nodes, partition.min_nodes);
  counts.most = std::min(request.max_nodes, partition.max_nodes);
  counts.wanted = std::max(std::min(request.wanted_nodes, counts.most), counts.least);
  if (request.tasks_per_node > 0 && request.tasks > 0)
    counts.least = std::max(counts.least,
                            (request.tasks + request.tasks_per_node - 1) / request.tasks_per_node);
  if (request.tasks > 0 && counts.most > request.tasks)
    counts.most = std::max(request.tasks, counts.least);
  return counts;
}

namespace {

Nodes choose_any(const SelectionOf& s, const NodeSet& candidates, const ClusterUse& use) {
  if (candidates.count() < s.counts.least) return {};
  const Offers offers = offers_of(s, candidates, use);
  const NodeSet usable = with_offers(candidates, offers);
  if (usable.count() < s.counts.least) return {};
  if (s.request.has_required() && !usable.contains(s.request.required)) return {};
  const Evaluation evaluation{s.site, s.partition, s.request, offers, s.counts};
  if (Nodes nodes = evaluate(evaluation, usable)) return nodes;
  return without_smallest(evaluation, usable);
}

// Nodes of each count in turn, none for two of them; then these are required and the rest is found.
Nodes choose_counted(const SelectionOf& s, const NodeSet& candidates, const ClusterUse& use) {
  Request whole = s.request;
  if (!whole.has_required()) whole.required = NodeSet(s.site.node_count());
  NodeSet left = candidates, counted(s.site.node_count());
  for (const CountedNodes& each : s.features->counts) {
    const Request part = counted_request(s.request, each.nodes);
    NodeSet of = each.of;
    of &= left;
    const SelectionOf selection{s.site, s.partition, part, {each.nodes, each.nodes, each.nodes}};
    const Nodes nodes = choose_any(selection, of, use);
    if (!nodes) return {};
    left -= *nodes;
    counted |= *nodes;
  }
  whole.required |= counted;
  NodeCounts counts = s.counts;
  counts.least = std::max(counts.least, whole.required.count());
  counts.wanted = std::max(counts.wanted, counts.least);
  if (counts.most < counts.least) return {};
  return choose_any({s.site, s.partition, whole, counts}, candidates, use);
}

}  // namespace

Request counted_request(const Request& request, int nodes) {
  Request part = request;
  part.constraint = {};
  part.min_nodes = part.max_nodes = part.wanted_nodes = nodes;
  part.tasks = nodes * std::max(1, request.tasks_per_node);
  part.gpus_total = 0;
  part.required = {};
  return part;
}

Nodes choose_nodes(const SelectionOf& s, const NodeSet& candidates, const ClusterUse& use) {
  return s.features && !s.features->counts.empty() ? choose_counted(s, candidates, use)
                                                   : choose_any(s, candidates, use);
}

bool fits_idle(const SelectionOf& s, const NodeSet& candidates) {
  const ClusterUse idle(s.site.node_count());
  if (!s.features) return choose_nodes(s, candidates, idle).has_value();
  return std::any_of(s.features->choices.begin(), s.features->choices.end(),
                     [&](const NodeSet& choice) {
                       NodeSet nodes = choice;
                       nodes &= candidates;
                       return choose_nodes(s, nodes, idle).has_value();
                     });
}

}  // namespace trainyard::slurm
