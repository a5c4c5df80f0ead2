#include "actors/compute_variation.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

constexpr double kLargestDeviation = 2;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A factor of mean 1 and the given standard deviation; never negative.
double factor_of(const Jitter& jitter, RandomStream& random) {
  const double deviation = jitter.deviation;
  if (deviation <= 0) return 1;
  switch (jitter.shape) {
    case Jitter::Shape::Normal:
      return std::max(0.0, random.normal(1, deviation));
    case Jitter::Shape::Uniform:  // sqrt(3) deviations to each side
      return std::max(0.0, 1 + std::sqrt(3.0) * deviation * (2 * random.uniform() - 1));
    case Jitter::Shape::LogNormal:
      break;
  }
  const double variance = std::log1p(deviation * deviation);
  return std::exp(random.normal(-variance / 2, std::sqrt(variance)));
}

Jitter read_jitter(Section section) {
  Jitter jitter;
  const std::string shape =
      section.one_of_or("shape", {"lognormal", "normal", "uniform"}, "lognormal");
  if (shape == "normal") jitter.shape = Jitter::Shape::Normal;
  if (shape == "uniform") jitter.shape = Jitter::Shape::Uniform;
  jitter.deviation = section.number("deviation", 0, kLargestDeviation);
  section.finish();
  return jitter;
}

Pauses read_pauses(Section section) {
  Pauses pauses;
  pauses.every = section.seconds("every");
  pauses.length = section.seconds("length");
  if (pauses.length >= pauses.every)
    throw section.error("length", "must be less than 'every', or nothing would ever be computed");
  pauses.together = section.yes_no_or("together", false);
  section.finish();
  return pauses;
}

}  // namespace

bool SlowSpell::holds(Seconds now) const {
  double t = in_seconds(now) - in_seconds(from);
  if (t < 0) return false;
  if (period > Seconds(0)) t = std::fmod(t, in_seconds(period));
  return t < in_seconds(to - from);
}

ComputeVariation read_variation(Section section) {
  ComputeVariation variation;
  if (std::optional<Section> jitter = section.maybe_section("jitter"))
    variation.jitter = read_jitter(std::move(*jitter));
  if (std::optional<Section> pauses = section.maybe_section("pauses"))
    variation.pauses = read_pauses(std::move(*pauses));
  variation.sequence_deviation = section.number_or("sequence_deviation", 0, kLargestDeviation, 0);
  section.finish();
  return variation;
}

VariedDurations::VariedDurations(const ComputeVariation& variation, const Attempt& attempt,
                                 const StepModel& model, Clock now)
    : variation_(variation), model_(model), now_(std::move(now)) {
  for (const RankClass& rank_class : model.classes)
    classes_.push_back(first_state(rank_class.ranks.front(), attempt));
}

VariedDurations::RankState VariedDurations::first_state(int rank, const Attempt& attempt) const {
  const std::string name = attempt.name + " attempt " + std::to_string(attempt.number);
  const int replica = model_.replica_of_rank.empty() ? rank : model_.replica_of_rank[at(rank)];
  const RandomSource source(variation_.seed);
  RankState state{source.stream(name + " rank " + std::to_string(rank)),
                  source.stream(name + " replica " + std::to_string(replica)),
                  attempt.allocation.gpus[at(rank)], 1, now_() + variation_.pauses.every};
  if (!variation_.pauses.together)
    state.next_pause = now_() + state.own.uniform() * variation_.pauses.every;
  return state;
}

void VariedDurations::step_begins(int rank_class) {
  RankState& state = classes_[at(rank_class)];
  state.of_step =
      factor_of({Jitter::Shape::LogNormal, variation_.sequence_deviation}, state.replicas);
}

double VariedDurations::slow_factor(GpuId gpu) const {
  double factor = 1;
  for (const SlowSpell& spell : variation_.spells)
    if (spell.gpu == gpu && spell.holds(now_())) factor *= spell.factor;
  return factor;
}

// Only what is computed varies; the collectives merged into a delay do not.
double VariedDurations::seconds(int rank_class, int operation, double nominal) {
  RankState& state = classes_[at(rank_class)];
  const int label = model_.classes[at(rank_class)].operations[at(operation)].label;
  const double computed =
      label < 0 ? nominal
                : model_.labels[at(label)].spent[static_cast<std::size_t>(Spent::Compute)];
  if (computed <= 0) return nominal;
  const double factor =
      state.of_step * factor_of(variation_.jitter, state.own) * slow_factor(state.gpu);
  double result = nominal + computed * (factor - 1);
  if (variation_.pauses.length > Seconds(0) && now_() >= state.next_pause) {
    result += in_seconds(variation_.pauses.length);
    while (state.next_pause <= now_()) state.next_pause += variation_.pauses.every;
  }
  return result;
}

}  // namespace trainyard
