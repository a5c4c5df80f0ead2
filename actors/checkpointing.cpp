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

namespace {

// Fills a stretch with steps and writes.
class Training {
public:
  Training(Seconds time, Seconds mean_step, std::int64_t steps_since, std::int64_t most)
      : mean_step_(mean_step), most_(most) {
    stretch_.steps_since = steps_since;
    stretch_.left = time;
  }

  void advance(std::int64_t steps) {
    steps = std::min(steps, most_ - stretch_.steps);
    stretch_.steps += steps;
    stretch_.steps_since += steps;
    stretch_.left -= static_cast<double>(steps) * mean_step_;
  }

  void save(std::int64_t times, Seconds write) {
    stretch_.checkpoints += times;
    stretch_.steps_since = 0;
    stretch_.left -= static_cast<double>(times) * write;
  }

  // Steps that the time left holds.
  std::int64_t fitting() const {
    return std::max<std::int64_t>(
        0, static_cast<std::int64_t>(std::floor(stretch_.left / mean_step_ * (1 + 1e-12))));
  }
  const Stretch& stretch() const { return stretch_; }

private:
  Seconds mean_step_;
  std::int64_t most_;
  Stretch stretch_;
};

}  // namespace

Stretch train_for(Seconds time, Seconds mean_step, std::int64_t steps_since, std::int64_t most,
                  const CheckpointRule& rule) {
  Training training(time, mean_step, steps_since, most);
  const std::int64_t period = rule.enabled() ? rule.period(mean_step) : 0;
  const std::int64_t to_first = std::max<std::int64_t>(0, period - steps_since);
  if (!rule.enabled() || training.fitting() < to_first || most < to_first) {
    training.advance(training.fitting());
    return training.stretch();
  }
  training.advance(to_first);
  training.save(1, rule.write);
  const Seconds cycle = static_cast<double>(period) * mean_step + rule.write;
  const std::int64_t by_time = std::max<std::int64_t>(
      0, static_cast<std::int64_t>(std::floor(training.stretch().left / cycle)));
  const std::int64_t cycles = std::min(by_time, (most - training.stretch().steps) / period);
  if (cycles > 0) {
    training.advance(cycles * period);
    training.save(cycles, rule.write);
  }
  training.advance(std::min(training.fitting(), period - 1));
  return training.stretch();
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
