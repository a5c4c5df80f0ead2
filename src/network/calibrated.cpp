#include "network/calibrated.hpp"

namespace trainyard {

Uncalibrated uncalibrated(const std::vector<FlowGroup>& groups, const LoweredContext& context) {
  Uncalibrated known;
  known.rounds = context.rounds;
  for (const FlowGroup& group : groups) {
    known.path += group.latency;
    if (!group.demands.empty())
      known.wire += Seconds(group.length / alone_rate(group, context.nominal));
  }
  return known;
}

CollectiveLaw law_for(const Calibration& calibration, const Collective& collective,
                      const std::string& algorithm, const Uncalibrated& known) {
  const CollectiveLaw* law =
      find_law(calibration, collective.kind, algorithm, nodes_of(collective), collective.size);
  return law ? *law : assumed_law(collective, algorithm, known.rounds, known.wire);
}

void calibrate(const Calibration& calibration, const Collective& collective,
               const std::string& algorithm, const LoweredContext& context,
               std::vector<FlowGroup>& groups) {
  if (groups.empty()) return;
  const Uncalibrated known = uncalibrated(groups, context);
  const CollectiveLaw law = law_for(calibration, collective, algorithm, known);
  const Seconds bytes_alone = known.wire / law.efficiency;
  groups.front().latency += law_time(law, Seconds(), known.rounds, known.wire) - bytes_alone;
  for (FlowGroup& group : groups)
    if (!group.demands.empty())
      group.rate_cap = law.efficiency * alone_rate(group, context.nominal);
}

}  // namespace trainyard
