#include "actors/checkpointing.hpp"

#include "base/text.hpp"
#include "config/units.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

std::int64_t CheckpointRule::period(Seconds mean_step) const {
  if (every_steps > 0) return every_steps;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(every / mean_step - 1e-9)));
}

bool CheckpointRule::due(std::int64_t steps_since, Seconds since) const {
  if (every_steps > 0) return steps_since >= every_steps;
  return every > Seconds(0) && since >= every;
}

CheckpointRule read_checkpoint_rule(Section& section) {
  CheckpointRule rule;
  const std::string every = section.text_or("every", "never");
  if (every != "never") {
    const std::size_t space = every.find(' ');
    const auto count = parse_integer(every.substr(0, space));
    const bool in_steps = space != std::string::npos && trim(every.substr(space)) == "steps";
    std::string problem;
    if (in_steps) {
      rule.every_steps = count.value_or(0);
    } else {
      rule.every = parse_seconds(every, problem);
    }
    if (!problem.empty())
      throw section.error("every", problem + "; or a number of 'steps', or 'never'");
    if (!rule.enabled()) throw section.error("every", "must be positive, got '" + every + "'");
  }
  rule.write = section.seconds_or("write", Seconds(0));
  rule.on_preemption = section.yes_no_or("on_preemption", false);
  section.finish();
  return rule;
}

Stretch train_for(Seconds time, Seconds mean_step, std::int64_t steps_since, std::int64_t most,
                  const CheckpointRule& rule) {
  Stretch stretch;
  stretch.steps_since = steps_since;
  stretch.left = time;
  const auto whole = [&](Seconds t) {
    return std::max<std::int64_t>(
        0, static_cast<std::int64_t>(std::floor(t / mean_step * (1 + 1e-12))));
  };
  const auto advance = [&](std::int64_t steps) {
    steps = std::min(steps, most - stretch.steps);
    stretch.steps += steps;
    stretch.steps_since += steps;
    stretch.left -= static_cast<double>(steps) * mean_step;
  };
  if (!rule.enabled()) {
    advance(whole(time));
    return stretch;
  }
  const std::int64_t period = rule.period(mean_step);
  const auto save = [&](std::int64_t times) {
    stretch.checkpoints += times;
    stretch.steps_since = 0;
    stretch.left -= static_cast<double>(times) * rule.write;
  };
  const std::int64_t to_first = std::max<std::int64_t>(0, period - steps_since);
  if (whole(stretch.left) < to_first || most < to_first) {
    advance(whole(stretch.left));
    return stretch;
  }
  advance(to_first);
  save(1);
  const Seconds cycle = static_cast<double>(period) * mean_step + rule.write;
  const std::int64_t by_time =
      std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(stretch.left / cycle)));
  const std::int64_t cycles = std::min(by_time, (most - stretch.steps) / period);
  if (cycles > 0) {
    advance(cycles * period);
    save(cycles);
  }
  advance(std::min(whole(stretch.left), period - 1));
  return stretch;
}

Seconds time_for(std::int64_t steps, Seconds mean_step, std::int64_t steps_since,
                 const CheckpointRule& rule) {
  const Seconds work = static_cast<double>(steps) * mean_step;
  if (!rule.enabled()) return work;
  const std::int64_t period = rule.period(mean_step);
  const std::int64_t to_first = std::max<std::int64_t>(0, period - steps_since);
  const std::int64_t checkpoints = steps < to_first ? 0 : 1 + (steps - to_first) / period;
  return work + static_cast<double>(checkpoints) * rule.write;
}

}  // namespace trainyard
