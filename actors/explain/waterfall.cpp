#include "actors/explain/waterfall.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace trainyard {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// What counts first when several things happen at once.
enum Level { Computing, Communicating, Waiting, Levels };

struct Boundary {
  double time;
  int level, operation;
  bool opens;
  bool operator<(const Boundary& other) const { return time < other.time; }
};

std::vector<Boundary> boundaries_of(const RankClass& rank_class,
                                    const std::vector<OperationTimes>& times) {
  std::vector<Boundary> result;
  const auto add = [&result](int level, std::size_t operation, double from, double to) {
    if (to <= from) return;
    result.push_back({from, level, static_cast<int>(operation), true});
    result.push_back({to, level, static_cast<int>(operation), false});
  };
  for (std::size_t o = 0; o < times.size(); ++o) {
    if (rank_class.operations[o].channel < 0) {
      const bool collective = rank_class.operations[o].resident >= 0;
      add(collective ? Communicating : Computing, o, times[o].began, times[o].ended);
    } else {
      add(Waiting, o, times[o].began, times[o].started);
      add(Communicating, o, times[o].started, times[o].ended);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

// A delay's time goes where its label says, a collective's to its dimension.
void add_spent(const StepModel& model, const PlayOperation& play, double seconds,
               TimeSpent& spent) {
  if (play.label < 0) {
    spent[static_cast<std::size_t>(play.channel < 0 ? Spent::Compute : Spent::Other)] += seconds;
    return;
  }
  const TimeSpent& parts = model.labels[at(play.label)].spent;
  const double whole = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (std::size_t s = 0; s < kSpentKinds; ++s)
    if (whole > 0) spent[s] += seconds * parts[s] / whole;
}

double Waterfall::step() const { return std::accumulate(spent.begin(), spent.end(), 0.0); }

Waterfall waterfall_of_class(const StepModel& model, const StepTimeline& timeline, int rank_class) {
  const RankClass& ranks = model.classes[at(rank_class)];
  Waterfall result;
  std::set<int> active[Levels];
  double now = timeline.start[at(rank_class)];
  for (const Boundary& next : boundaries_of(ranks, timeline.operations[at(rank_class)])) {
    const double passed = next.time - now;
    now = next.time;
    if (passed > 0) {
      if (!active[Computing].empty())
        add_spent(model, ranks.operations[at(*active[Computing].begin())], passed, result.spent);
      else if (!active[Communicating].empty())
        add_spent(model, ranks.operations[at(*active[Communicating].begin())], passed,
                  result.spent);
      else
        result.spent[static_cast<std::size_t>(Spent::Wait)] += passed;
    }
    if (next.opens)
      active[next.level].insert(next.operation);
    else
      active[next.level].erase(next.operation);
  }
  return result;
}

Waterfall waterfall(const StepModel& model, const StepTimeline& timeline) {
  Waterfall mean;
  double ranks = 0;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    const auto here = static_cast<double>(model.classes[c].ranks.size());
    const Waterfall of_class = waterfall_of_class(model, timeline, static_cast<int>(c));
    for (std::size_t s = 0; s < kSpentKinds; ++s) mean.spent[s] += here * of_class.spent[s];
    ranks += here;
  }
  for (double& seconds : mean.spent) seconds /= ranks;
  return mean;
}

std::vector<WaitedFor> waited_for(const StepModel& model, const StepTimeline& timeline) {
  std::vector<WaitedFor> result;
  for (std::size_t c = 0; c < model.classes.size(); ++c) result.push_back({static_cast<int>(c), 0});
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    const auto ranks = static_cast<double>(model.classes[c].ranks.size());
    for (const OperationTimes& times : timeline.operations[c])
      if (times.last_class >= 0)
        result[at(times.last_class)].seconds += ranks * (times.started - times.began);
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const WaitedFor& a, const WaitedFor& b) { return a.seconds > b.seconds; });
  return result;
}

}  // namespace trainyard
