#include "study/whatif/straggler_analysis.hpp"

#include "study/whatif/straggler_replay.hpp"

#include <algorithm>
#include <functional>

namespace trainyard {

namespace {

using Op = StragglerOp;
// Of an operation's place: whether it belongs to a part.
using Part = std::function<bool(const TimelineOperation&)>;

constexpr std::size_t kWorstPercent = 3;

bool is_computation(Op type) {
  return type == Op::ForwardCompute || type == Op::BackwardCompute || type == Op::Optimizer ||
         type == Op::Gc;
}

std::string type_name(Op type) {
  if (type == Op::ForwardSend || type == Op::ForwardRecv) return "forward-pp-comm";
  if (type == Op::BackwardSend || type == Op::BackwardRecv) return "backward-pp-comm";
  return to_string(type);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

class Analyser {
public:
  Analyser(const StragglerTimeline& timeline, const std::string& file)
      : timeline_(timeline),
        graph_(straggler_graph(timeline, file)),
        own_(graph_.operations.size(),
             timeline.steps.size() * static_cast<std::size_t>(timeline.dp_ranks)),
        alike_(own_) {
    std::vector<std::vector<double>> by_type(kStragglerOps);
    for (const TimelineOperation& o : timeline.operations)
      by_type[static_cast<std::size_t>(o.type)].push_back(in_seconds(o.duration));
    std::vector<double> typical(kStragglerOps, 0);
    for (std::size_t t = 0; t < by_type.size(); ++t)
      if (!by_type[t].empty())
        typical[t] = is_computation(static_cast<Op>(t)) ? mean(by_type[t]) : median(by_type[t]);
    for (std::size_t i = 0; i < timeline.operations.size(); ++i) {
      const TimelineOperation& o = timeline.operations[i];
      own_.at(i % graph_.operations.size(), i / graph_.operations.size()) = in_seconds(o.duration);
      alike_.at(i % graph_.operations.size(), i / graph_.operations.size()) =
          typical[static_cast<std::size_t>(o.type)];
    }
  }

  StragglerAnalysis analyse() {
    StragglerAnalysis result;
    const std::vector<StepEnds> original = play(own_);
    const std::vector<StepEnds> ideal = play(alike_);
    result.original = seconds(mean_of(original, &StepEnds::last));
    result.ideal = seconds(mean_of(ideal, &StepEnds::last));
    ideal_optimizer_ = mean_of(ideal, &StepEnds::optimizer);
    result.slowdown = in_seconds(result.original) / ideal_optimizer_;
    for (std::size_t s = 0; s < original.size(); ++s)
      result.step_slowdown.push_back(original[s].last / ideal[s].optimizer);
    find_parts(result);
    find_workers(result);
    result.worst_ranks = recovered(result, [&](const TimelineOperation& o) {
      const auto end = result.workers.begin() + static_cast<long>(result.worst);
      return std::any_of(result.workers.begin(), end, [&](const StragglerWorker& worker) {
        return worker.dp_rank == o.dp_rank && worker.stage == o.stage;
      });
    });
    result.last_stage = recovered(
        result, [&](const TimelineOperation& o) { return o.stage == timeline_.stages - 1; });
    return result;
  }

private:
  std::vector<StepEnds> play(const StragglerDurations& durations) const {
    return replay(graph_, durations, timeline_.dp_ranks);
  }

  static double mean_of(const std::vector<StepEnds>& steps, double StepEnds::*end) {
    std::vector<double> values;
    values.reserve(steps.size());
    for (const StepEnds& step : steps) values.push_back(step.*end);
    return mean(values);
  }

  // `base`, but the part's operations as in `other`.
  std::vector<StepEnds> play_with(const StragglerDurations& base, const StragglerDurations& other,
                                  const Part& part) const {
    StragglerDurations mixed = base;
    for (std::size_t i = 0; i < timeline_.operations.size(); ++i) {
      const std::size_t operation = i % graph_.operations.size();
      const std::size_t lot = i / graph_.operations.size();
      if (part(timeline_.operations[i])) mixed.at(operation, lot) = other.at(operation, lot);
    }
    return play(mixed);
  }

  double slowdown_of(const Part& part) const {
    return mean_of(play_with(alike_, own_, part), &StepEnds::optimizer) / ideal_optimizer_;
  }

  // M; of a job without any slowdown, 0.
  double recovered(const StragglerAnalysis& result, const Part& part) const {
    const double whole = in_seconds(result.original - result.ideal);
    const double rest = mean_of(play_with(own_, alike_, part), &StepEnds::last);
    return whole == 0 ? 0 : (in_seconds(result.original) - rest) / whole;
  }

  void find_parts(StragglerAnalysis& result) const {
    for (int dp = 0; dp < timeline_.dp_ranks; ++dp)
      result.by_data_rank.push_back(
          {"data rank " + std::to_string(dp),
           slowdown_of([dp](const TimelineOperation& o) { return o.dp_rank == dp; })});
    for (int stage = 0; stage < timeline_.stages; ++stage)
      result.by_stage.push_back(
          {"stage " + std::to_string(stage),
           slowdown_of([stage](const TimelineOperation& o) { return o.stage == stage; })});
    std::vector<std::string> names;
    for (const TimelineOperation& o : graph_.operations) names.push_back(type_name(o.type));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::string& name : names)
      result.by_type.push_back({name, slowdown_of([&](const TimelineOperation& o) {
                                  return type_name(o.type) == name;
                                })});
  }

  void find_workers(StragglerAnalysis& result) const {
    for (int dp = 0; dp < timeline_.dp_ranks; ++dp)
      for (int stage = 0; stage < timeline_.stages; ++stage) {
        const auto d = static_cast<std::size_t>(dp);
        const auto s = static_cast<std::size_t>(stage);
        result.workers.push_back(
            {timeline_.ranks[d][s], dp, stage,
             std::min(result.by_data_rank[d].slowdown, result.by_stage[s].slowdown)});
      }
    std::sort(result.workers.begin(), result.workers.end(),
              [](const StragglerWorker& a, const StragglerWorker& b) {
                return a.slowdown != b.slowdown ? a.slowdown > b.slowdown : a.rank < b.rank;
              });
    result.worst = (result.workers.size() * kWorstPercent + 99) / 100;
  }

  const StragglerTimeline& timeline_;
  StragglerGraph graph_;
  StragglerDurations own_, alike_;
  double ideal_optimizer_ = 0;
};

}  // namespace

StragglerAnalysis analyse_stragglers(const StragglerTimeline& timeline, const std::string& file) {
  return Analyser(timeline, file).analyse();
}

}  // namespace trainyard
