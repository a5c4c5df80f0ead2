// --constraint: what a job asks of its nodes' features.
//
//   a&b  a|b  (a|b)&c      every node has it; read from left to right, '|' binds no less than '&'
//   [a|b]  c&[a|b]         one of the alternatives, the same for all nodes
//   [a*2&(b|c)*4]          so many nodes of each; others have one of them too
//   a*4                    at least so many nodes
// Slurm leaves out what stands without a count beside one with a count; here that is refused.
#pragma once

#include <string>
#include <vector>

namespace trainyard::slurm {

struct FeatureTerm {
  enum class Join : char { And, Or };
  std::string feature;    // "": what is `inside`
  Join join = Join::And;  // with what stands before it; of the first: And
  std::vector<FeatureTerm> inside;
};

using FeatureExpression = std::vector<FeatureTerm>;

struct CountedFeatures {
  int nodes = 0;
  FeatureExpression have;
};

struct FeatureConstraint {
  FeatureExpression every;                      // of every node; empty: no matter
  std::vector<FeatureExpression> alternatives;  // one of these of every node; empty: no matter
  std::vector<CountedFeatures> counts;
  bool bracketed = false;  // the counts stood in brackets

  bool empty() const { return every.empty() && alternatives.empty() && counts.empty(); }
};

// The problem, or "".
std::string parse_constraint(const std::string& text, FeatureConstraint& constraint);

// Every feature that is named.
std::vector<std::string> features_named(const FeatureConstraint& constraint);

}  // namespace trainyard::slurm
