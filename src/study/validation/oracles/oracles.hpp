// Closed forms, deterministic results of other simulators and published findings, against ours.
//
// Each names its source and how good it is: E exact, M measured, S simulated by others, D derived,
// P a published claim. Expected figures are computed from the closed form, or quoted.
#pragma once

#include "study/validation/cases.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace trainyard {

struct OracleResult {
  std::string part, name, unit;
  double expected = 0, got = 0;
  double low = 0, high = 0;  // what `got` may be
  std::string label;         // "exact", "bound", "finding", "not expressible"
  std::string mark, source;
  std::string reason;  // why it is not expressible, or what the band rests on
  bool known_miss = false;

  double error() const { return got / expected - 1; }
  bool told() const { return label != "not expressible"; }
  bool inside() const { return !told() || (low <= got && got <= high); }
  bool held() const { return known_miss || inside(); }
};

struct OracleName {
  std::string part, name, unit, mark, source;
};
OracleResult exact(OracleName name, double expected, double got, double tolerance = 1e-6);
// Never below the bound; `most` is what the source itself allows or reaches, if it says.
OracleResult bound(OracleName name, double least, double got,
                   double most = std::numeric_limits<double>::infinity());
struct Between {
  double low, high;
};
OracleResult finding(OracleName name, double expected, double got, Between band,
                     std::string reason);
OracleResult not_expressible(OracleName name, std::string reason);

using OracleResults = std::vector<OracleResult>;
void add_closed_forms(OracleResults& results);
void add_other_simulators(OracleResults& results);
void add_synthesised_schedules(OracleResults& results);
void add_packet_bounds(OracleResults& results);
void add_placement_findings(OracleResults& results);
void add_algorithm_findings(OracleResults& results);
void add_not_expressible(OracleResults& results);

OracleResults run_oracles();
// Findings outside their bands that are listed, and are not further off than the list says.
void excuse(OracleResults& oracles, const std::vector<KnownMiss>& misses);
std::vector<std::string> oracle_cells(const OracleResult& oracle);
std::string oracles_csv(const OracleResults& oracles);
std::string oracles_markdown(const OracleResults& oracles);

}  // namespace trainyard
