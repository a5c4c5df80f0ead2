// What makes ranks compute longer now and then: jitter, pauses, batches of unequal length, GPUs
// that are slow for a while.
//
// Every rank has a random stream of its own, named after job, attempt and rank: adding a job or a
// rank never moves another's draws. Ranks that vary are never alike, so nothing is folded.
#pragma once

#include "actors/program_player.hpp"
#include "base/rng.hpp"
#include "config/section.hpp"
#include "workload/job.hpp"

#include <functional>
#include <string>
#include <vector>

namespace trainyard {

// Of every computation of every rank; the mean stays 1.
struct Jitter {
  enum class Shape { Normal, LogNormal, Uniform };
  Shape shape = Shape::LogNormal;
  double deviation = 0;  // relative standard deviation; 0: none
};

// As a garbage collector makes them: `length` every `every`, at the next computation that starts.
struct Pauses {
  Seconds every, length;  // length 0: none
  bool together = false;  // all ranks at the same time, instead of each at a random phase
};

// A GPU that computes `factor` times longer from `from` to `to`, again every `period` (0: once).
struct SlowSpell {
  GpuId gpu;
  double factor = 1;
  Seconds from, to, period;
  bool holds(Seconds now) const;
};

struct ComputeVariation {
  Jitter jitter;
  Pauses pauses;
  double sequence_deviation = 0;  // of a step's length of each data replica, relative
  std::vector<SlowSpell> spells;
  std::uint64_t seed = 0;

  // What comes and goes: a mean over a window says nothing of what comes after it.
  bool has_dates() const { return pauses.length > Seconds(0) || !spells.empty(); }
  bool any() const {
    return jitter.deviation > 0 || pauses.length > Seconds(0) || sequence_deviation > 0 ||
           !spells.empty();
  }
};

// `imperfections: {jitter: {shape?: lognormal | normal | uniform, deviation: 0.03},
//  pauses: {every: 30 s, length: 200 ms, together?: off}, sequence_deviation: 0.1}`; spells are
//  read
// with the slow GPUs.
ComputeVariation read_variation(Section section);

// The rule of one attempt of an unfolded job. `now`: the simulated time.
class VariedDurations final : public DurationRule {
public:
  using Clock = std::function<Seconds()>;
  struct Attempt {
    std::string name;  // of the job
    int number = 0;
    Allocation allocation;
  };
  VariedDurations(const ComputeVariation& variation, const Attempt& attempt, const StepModel& model,
                  Clock now);

  void step_begins(int rank_class) override;
  double seconds(int rank_class, int operation, double nominal) override;

private:
  struct RankState {
    RandomStream own, replicas;  // the second draws alike on all ranks of a data replica
    GpuId gpu;
    double of_step = 1;
    Seconds next_pause;
  };
  RankState first_state(int rank, const Attempt& attempt) const;
  double slow_factor(GpuId gpu) const;

  const ComputeVariation variation_;
  const StepModel& model_;
  const Clock now_;
  std::vector<RankState> classes_;  // each of one rank
};

}  // namespace trainyard
