// The proof of a schedule: what every rank holds of every chunk, as a set of ranks whose data are
// in it, carried through the steps.
//
// Nothing here knows an algorithm. A collective is its Conditions, what a rank holds before and
// what it must hold after; a transfer may only copy or add up what is there.
#include "collectives/verify.hpp"

#include "collectives/conditions.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace trainyard {
namespace {

bool is_all_to_all(CollectiveKind kind) {
  return kind == CollectiveKind::AllToAll || kind == CollectiveKind::AllToAllV;
}

bool has_owners(CollectiveKind kind) {
  return kind == CollectiveKind::AllGather || kind == CollectiveKind::ReduceScatter ||
         kind == CollectiveKind::Gather || kind == CollectiveKind::Scatter || is_all_to_all(kind);
}

// How many chunks the schedule must have a multiple of, so that every chunk has an owner.
std::string shape_problem(const Collective& collective, const Schedule& schedule) {
  const auto count = [](int n) { return std::to_string(n); };
  if (schedule.ranks != collective.ranks)
    return "the schedule is for " + count(schedule.ranks) + " ranks, the collective has " +
           count(collective.ranks);
  const int divisor = has_owners(collective.kind) ? collective.ranks : 1;
  if (schedule.chunks < divisor || schedule.chunks % divisor != 0)
    return count(schedule.chunks) + " chunks cannot be shared out among " + count(divisor);
  if (is_all_to_all(collective.kind) && schedule.chunks != divisor * divisor)
    return "an all-to-all has a chunk for every pair of ranks, not " + count(schedule.chunks);
  return "";
}

std::string chunk_at(int rank, int chunk) {
  return "chunk " + std::to_string(chunk) + " at rank " + std::to_string(rank);
}

// Places are ranks and, after them, switches.
bool is_switch(const Conditions& conditions, int place) { return place >= conditions.ranks; }

// Ranks, 64 to a word. No words at all: nothing is held.
using Set = std::vector<std::uint64_t>;

Set set_of(const Contributors& contributors, int ranks) {
  Set set(static_cast<std::size_t>(ranks + 63) / 64);
  for (int rank = contributors.first; rank < contributors.last; ++rank)
    set[static_cast<std::size_t>(rank / 64)] |= std::uint64_t{1} << rank % 64;
  return set;
}

bool contains(const Set& set, int rank) {
  return !set.empty() && (set[static_cast<std::size_t>(rank / 64)] >> rank % 64 & 1) != 0;
}

// What all ranks hold at one moment. Methods that can find a problem return it as a sentence.
class Holdings {
public:
  Holdings(const Conditions& conditions, int places);
  std::string play(const Step& step);
  std::string missing() const;

private:
  std::size_t index(int rank, int chunk) const {
    return static_cast<std::size_t>(rank) * static_cast<std::size_t>(conditions_.chunks) +
           static_cast<std::size_t>(chunk);
  }
  std::string problem_of_sending(const Transfer& t) const;
  std::string receive(const Transfer& t, const Set& carried);
  std::string problem_at(int rank, int chunk) const;

  Conditions conditions_;
  int places_;
  std::vector<Set> held_;  // place by place, chunk by chunk
};

Holdings::Holdings(const Conditions& conditions, int places)
    : conditions_(conditions), places_(places) {
  held_.resize(index(places, 0));
  for (int rank = 0; rank < conditions.ranks; ++rank)
    for (int chunk = 0; chunk < conditions.chunks; ++chunk) {
      const Contributors present = conditions.before(rank, chunk);
      if (!present.none()) held_[index(rank, chunk)] = set_of(present, conditions.ranks);
    }
}

std::string Holdings::problem_of_sending(const Transfer& t) const {
  const auto known = [this](Rank r) { return r.valid() && r.value() < places_; };
  const int from = t.from.value();
  const std::string what = "chunk " + std::to_string(t.chunk) + " from rank " +
                           std::to_string(from) + " to rank " + std::to_string(t.to.value());
  if (!known(t.from) || !known(t.to) || t.from == t.to) return what + ": no such pair of ranks";
  if (t.chunk < 0 || t.chunk >= conditions_.chunks) return what + ": no such chunk";
  if (held_[index(from, t.chunk)].empty()) return what + ": the sender does not hold it";
  return "";
}

std::string Holdings::receive(const Transfer& t, const Set& carried) {
  const int rank = t.to.value();
  Set& here = held_[index(rank, t.chunk)];
  if (!t.reduce || (here.empty() && is_switch(conditions_, rank))) {
    here = carried;
    return "";
  }
  if (here.empty()) return chunk_at(rank, t.chunk) + ": nothing there to add to";
  for (std::size_t i = 0; i < here.size(); ++i) {
    if ((here[i] & carried[i]) != 0 && !conditions_.idempotent())
      return chunk_at(rank, t.chunk) + ": a contribution that rank " +
             std::to_string(t.from.value()) + " sends was added before";
    here[i] |= carried[i];
  }
  return "";
}

// Two transfers of one step may both add to a chunk; but the outcome must not depend on which of
// them ends first.
std::string written_twice(const Step& step) {
  std::vector<std::tuple<Rank, int, bool>> writes;
  writes.reserve(step.size());
  for (const Transfer& t : step) writes.emplace_back(t.to, t.chunk, t.reduce);
  std::sort(writes.begin(), writes.end());
  for (std::size_t i = 1; i < writes.size(); ++i) {
    const auto& [rank, chunk, reduce] = writes[i - 1];  // an overwriting one sorts first
    if (!reduce && rank == std::get<0>(writes[i]) && chunk == std::get<1>(writes[i]))
      return chunk_at(rank.value(), chunk) + ": overwritten and written again in one step";
  }
  return "";
}

// All transfers carry what was held before the step.
std::string Holdings::play(const Step& step) {
  std::vector<Set> carried;
  carried.reserve(step.size());
  for (const Transfer& t : step) {
    if (std::string problem = problem_of_sending(t); !problem.empty()) return problem;
    carried.push_back(held_[index(t.from.value(), t.chunk)]);
  }
  if (std::string problem = written_twice(step); !problem.empty()) return problem;
  for (std::size_t i = 0; i < step.size(); ++i)
    if (std::string problem = receive(step[i], carried[i]); !problem.empty()) return problem;
  return "";
}

std::string Holdings::problem_at(int rank, int chunk) const {
  const Contributors wanted = conditions_.after(rank, chunk);
  const Set& here = held_[index(rank, chunk)];
  if (wanted.none() || here == set_of(wanted, conditions_.ranks)) return "";
  for (int c = wanted.first; c < wanted.last; ++c)
    if (!contains(here, c))
      return chunk_at(rank, chunk) + ": misses the contribution of rank " + std::to_string(c);
  return "";
}

std::string Holdings::missing() const {
  for (int rank = 0; rank < conditions_.ranks; ++rank)
    for (int chunk = 0; chunk < conditions_.chunks; ++chunk)
      if (std::string problem = problem_at(rank, chunk); !problem.empty()) return problem;
  return "";
}

}  // namespace

std::string verify(const Collective& collective, const Schedule& schedule) {
  if (std::string problem = shape_problem(collective, schedule); !problem.empty()) return problem;
  Holdings holdings({collective.kind, collective.ranks, schedule.chunks, collective.root.value()},
                    schedule.places());
  for (std::size_t step = 0; step < schedule.steps.size(); ++step)
    if (const std::string problem = holdings.play(schedule.steps[step]); !problem.empty())
      return "step " + std::to_string(step) + ": " + problem;
  const std::string problem = holdings.missing();
  return problem.empty() ? "" : "at the end: " + problem;
}

}  // namespace trainyard
