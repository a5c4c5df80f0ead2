#include "schedulers/slurm/select/feature_nodes.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

bool has(const SlurmNode& node, const std::string& feature) {
  return std::find(node.features.begin(), node.features.end(), feature) != node.features.end();
}

bool fits(const SlurmNode& node, const FeatureExpression& expression) {
  bool all = true;
  for (const FeatureTerm& term : expression) {
    const bool one = term.feature.empty() ? fits(node, term.inside) : has(node, term.feature);
    all = term.join == FeatureTerm::Join::And ? all && one : all || one;
  }
  return all;
}

NodeSet nodes_with(const SlurmSite& site, const FeatureExpression& expression) {
  NodeSet nodes(site.node_count());
  nodes.fill(
      [&](int node) { return fits(site.nodes[static_cast<std::size_t>(node)], expression); });
  return nodes;
}

}  // namespace

std::shared_ptr<const FeatureNodes> feature_nodes(const SlurmSite& site,
                                                  const FeatureConstraint& constraint) {
  if (constraint.empty()) return nullptr;
  auto nodes = std::make_shared<FeatureNodes>();
  const NodeSet every = nodes_with(site, constraint.every);
  for (const FeatureExpression& alternative : constraint.alternatives) {
    nodes->choices.push_back(nodes_with(site, alternative));
    nodes->choices.back() &= every;
  }
  NodeSet counted(site.node_count());
  for (const CountedFeatures& each : constraint.counts) {
    nodes->counts.push_back({each.nodes, nodes_with(site, each.have)});
    counted |= nodes->counts.back().of;
  }
  if (nodes->choices.empty()) nodes->choices.push_back(constraint.bracketed ? counted : every);
  nodes->any = NodeSet(site.node_count());
  for (const NodeSet& choice : nodes->choices) nodes->any |= choice;
  return nodes;
}

std::string unknown_feature(const SlurmSite& site, const FeatureConstraint& constraint) {
  for (const std::string& name : features_named(constraint))
    if (std::none_of(site.nodes.begin(), site.nodes.end(),
                     [&](const SlurmNode& node) { return has(node, name); }))
      return name;
  return "";
}

}  // namespace trainyard::slurm
