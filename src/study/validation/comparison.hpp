// Sweeps against the simulator: what `validate` counts while it goes through the cases.
#pragma once

#include "study/validation/envelopes.hpp"
#include "study/validation/simulated_sweep.hpp"
#include "study/validation/validate.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace trainyard {

// A platform with what every case on it needs.
struct Bench {
  Platform platform;
  std::unique_ptr<Routing> routing;
  Calibration calibration;

  explicit Bench(const std::string& file);
};

class Comparison {
public:
  // Both must outlive it.
  Comparison(const std::vector<Band>& bands, const std::vector<KnownMiss>& misses)
      : bands_(bands), misses_(misses) {}

  // Throws if the sweep does not fit on the platform.
  void add(const ValidationCase& one, const NcclSweep& sweep, const Bench& bench);
  void skip(const std::string& reason) { report_.skipped.push_back(reason); }
  // A laboratory is missing: nobody can say how far those of this platform are apart.
  void skip_laboratory(const ValidationCase& one);

  // Once, at the end: only then are all laboratories known.
  ValidationReport report();

private:
  struct RowContext {
    const Band* band;
    EnvelopeKey key;
    std::string laboratory;
  };

  void count(std::size_t row);
  std::optional<Envelope> envelope_of(const ComparedRow& row, const RowContext& context) const;
  void judge(Verdict& verdict) const;
  void compare_with_miss(Verdict& verdict, bool held) const;

  const std::vector<Band>& bands_;
  const std::vector<KnownMiss>& misses_;
  std::map<std::tuple<std::size_t, std::ptrdiff_t, std::string>, Verdict> verdicts_;
  std::map<std::string, std::size_t> order_;  // of cases, as they came
  std::vector<RowContext> context_;           // of each row of the report
  Envelopes envelopes_;
  const Calibration assumed_;
  std::set<std::string> incomplete_;  // platforms with a log that is not there
  ValidationReport report_;
};

}  // namespace trainyard
