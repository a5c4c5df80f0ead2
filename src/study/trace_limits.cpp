#include "study/trace_limits.hpp"

#include "base/rng.hpp"
#include "config/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

// Its name is part of the result: another would draw other limits.
constexpr const char* kStream = "limits/";

}  // namespace

void TraceLimits::apply(Job& job) const {
  double wrong = factor;
  if (spread > 0) wrong *= std::exp(RandomSource(0).stream(kStream + job.name).normal(0, spread));
  if (from_run_time && job.run_time > Seconds(0)) job.limit = job.run_time;
  job.limit = std::min(std::max(job.limit * wrong, seconds(1)), kLongestTime);
  job.kill_after = std::max(job.limit, job.run_time) * (1 + grace);
}

TraceLimits read_trace_limits(Section& trace) {
  TraceLimits limits;
  limits.grace = trace.number_or("limit_grace", 0, 100, 0.1);
  Section section = trace.section_or_empty("limits");
  limits.from_run_time =
      section.one_of_or("from", {"requested", "run_time"}, "requested") == "run_time";
  limits.factor = section.number_or("factor", 1e-3, 1e3, 1);
  limits.spread = section.number_or("spread", 0, 5, 0);
  section.finish();
  return limits;
}

}  // namespace trainyard
