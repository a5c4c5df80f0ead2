#include "study/validation/oracles/oracles.hpp"

#include "base/text.hpp"

#include <utility>

namespace trainyard {

namespace {

OracleResult named(OracleName name, const char* label) {
  OracleResult result;
  result.part = std::move(name.part);
  result.name = std::move(name.name);
  result.unit = std::move(name.unit);
  result.mark = std::move(name.mark);
  result.source = std::move(name.source);
  result.label = label;
  return result;
}

std::string limits(const OracleResult& oracle) {
  if (!oracle.told()) return "-";
  const std::string low = shortest(std::stod(fixed(oracle.low, 3)));
  if (std::isinf(oracle.high)) return ">= " + low;
  if (oracle.label == "exact")
    return fixed(100 * (oracle.high / oracle.expected - 1), oracle.high > oracle.expected ? 4 : 0) +
           " %";
  return low + " .. " + shortest(std::stod(fixed(oracle.high, 3)));
}

}  // namespace

OracleResult exact(OracleName name, double expected, double got, double tolerance) {
  OracleResult result = named(std::move(name), "exact");
  result.expected = expected;
  result.got = got;
  result.low = expected * (1 - tolerance);
  result.high = expected * (1 + tolerance);
  return result;
}

OracleResult bound(OracleName name, double least, double got, double most) {
  OracleResult result = named(std::move(name), "bound");
  result.expected = least;
  result.got = got;
  result.low = least * (1 - 1e-9);
  result.high = most;
  return result;
}

OracleResult finding(OracleName name, double expected, double got, Between band,
                     std::string reason) {
  OracleResult result = named(std::move(name), "finding");
  result.expected = expected;
  result.got = got;
  result.low = band.low;
  result.high = band.high;
  result.reason = std::move(reason);
  return result;
}

OracleResult not_expressible(OracleName name, std::string reason) {
  OracleResult result = named(std::move(name), "not expressible");
  result.reason = std::move(reason);
  return result;
}

OracleResults run_oracles() {
  OracleResults results;
  add_closed_forms(results);
  add_other_simulators(results);
  add_packet_bounds(results);
  add_synthesised_schedules(results);
  add_placement_findings(results);
  add_algorithm_findings(results);
  add_not_expressible(results);
  return results;
}

void excuse(OracleResults& oracles, const std::vector<KnownMiss>& misses) {
  for (OracleResult& oracle : oracles) {
    if (oracle.label != "finding" || oracle.inside()) continue;
    for (const KnownMiss& miss : misses) {
      if (miss.name != oracle.name || miss.label != oracle.label) continue;
      oracle.known_miss = std::abs(oracle.error()) <= miss.max * 1.02 + 0.001;
      oracle.reason = miss.reason;
    }
  }
}

namespace {
std::string verdict_of(const OracleResult& oracle) {
  const std::string verdict = oracle.inside() ? "ok" : oracle.known_miss ? "known miss" : "BROKEN";
  return verdict + (oracle.reason.empty() ? "" : ": " + oracle.reason);
}
}  // namespace

std::vector<std::string> oracle_cells(const OracleResult& oracle) {
  if (!oracle.told())
    return {oracle.part, oracle.name,  oracle.unit, "-",           "-",
            "-",         oracle.label, oracle.mark, oracle.source, oracle.reason};
  return {oracle.part,          oracle.name,       oracle.unit,  fixed(oracle.expected, 3),
          fixed(oracle.got, 3), limits(oracle),    oracle.label, oracle.mark,
          oracle.source,        verdict_of(oracle)};
}

std::string oracles_csv(const OracleResults& oracles) {
  std::string text = "part,case,unit,expected,got,band,label,mark,source,verdict\n";
  for (const OracleResult& oracle : oracles) {
    std::vector<std::string> cells = oracle_cells(oracle);
    for (std::string& cell : cells)
      if (cell.find(',') != std::string::npos) cell.insert(0, 1, '"').push_back('"');
    text += join(cells, ",") + "\n";
  }
  return text;
}

std::string oracles_markdown(const OracleResults& oracles) {
  std::string text =
      "| part | case | unit | expected | got | band | label | mark | source | verdict |\n"
      "|---|---|---|---:|---:|---|---|---|---|---|\n";
  for (const OracleResult& oracle : oracles)
    text += "| " + join(oracle_cells(oracle), " | ") + " |\n";
  return text;
}

}  // namespace trainyard
