// Closed forms and deterministic results of others, against the simulator.
//
// Each names its source; expected figures are computed from the closed form, or quoted.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace trainyard {

struct OracleResult {
  std::string name, unit;
  double expected = 0, got = 0;
  double tolerance = 1e-6;  // relative

  double error() const { return got / expected - 1; }
  bool held() const { return std::abs(error()) <= tolerance; }
};

std::vector<OracleResult> run_oracles();
std::string oracles_csv(const std::vector<OracleResult>& oracles);

}  // namespace trainyard
