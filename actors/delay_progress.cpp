#include "actors/delay_progress.hpp"

#include <algorithm>

namespace trainyard {

namespace {

double factor_of(const DelayPart& part, const Beside& beside) {
  return beside.collectives.empty() ? 1 : beside.rule.slowdown(part, beside.collectives);
}

}  // namespace

double time_left(const std::vector<DelayPart>& parts, double scale, double done,
                 const Beside& beside) {
  double left = 0, passed = done;
  for (const DelayPart& part : parts) {
    const double own = part.seconds * scale;
    const double here = std::min(own, passed);
    passed -= here;
    if (own > here) left += (own - here) * factor_of(part, beside);
  }
  return left;
}

double done_after(const std::vector<DelayPart>& parts, double scale, double done, double elapsed,
                  const Beside& beside) {
  double passed = done;
  for (const DelayPart& part : parts) {
    const double own = part.seconds * scale;
    const double here = std::min(own, passed);
    passed -= here;
    if (own <= here) continue;
    const double factor = factor_of(part, beside);
    const double now = std::min(own - here, elapsed / factor);
    done += now;
    elapsed -= now * factor;
    if (elapsed <= 0) break;
  }
  return done;
}

}  // namespace trainyard
