// A step study as JSON: its explanation, and its timeline for Perfetto.
#include "study/steps/step_study.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Json spent_json(const TimeSpent& spent) {
  Json json;
  for (std::size_t s = 0; s < kSpentKinds; ++s)
    if (spent[s] != 0) json[std::string(to_string(static_cast<Spent>(s))) + "_s"] = spent[s];
  return json;
}

Json causes_json(const StepCosts& costs) {
  Json json;
  json["fabric_s"] = in_seconds(costs.fabric);
  json["slow_gpu_s"] = in_seconds(costs.slow_gpu);
  json["slow_link_s"] = in_seconds(costs.slow_link);
  json["variation_s"] = in_seconds(costs.variation);
  return json;
}

Json blamed_json(const std::vector<StepStudy::Blamed>& blamed) {
  Json json = Json::array();
  for (const StepStudy::Blamed& one : blamed)
    json.push_back(Json{{"who", one.rank}, {"seconds", one.seconds}});
  return json;
}

double microseconds_of(double seconds) { return std::round(seconds * 1e9) / 1e3; }

class TimelineWriter {
public:
  explicit TimelineWriter(const StepStudy& study) : study_(study) {}

  std::string write() {
    for (std::size_t c = 0; c < study_.model.classes.size(); ++c) add_class(static_cast<int>(c));
    return Json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events_)}}.dump() + "\n";
  }

private:
  void add_class(int rank_class) {
    const RankClass& ranks = study_.model.classes[at(rank_class)];
    const int process = ranks.ranks.front() + 1;
    std::string name = "rank " + std::to_string(ranks.ranks.front());
    if (ranks.ranks.size() > 1) name += " and " + std::to_string(ranks.ranks.size() - 1) + " alike";
    events_.push_back(
        Json{{"ph", "M"}, {"pid", process}, {"name", "process_name"}, {"args", {{"name", name}}}});
    for (std::size_t o = 0; o < ranks.operations.size(); ++o)
      add_operation(rank_class, static_cast<int>(o), process);
  }

  void add_operation(int rank_class, int operation, int process) {
    const PlayOperation& play = study_.model.classes[at(rank_class)].operations[at(operation)];
    const OperationTimes& times = study_.timeline.operations[at(rank_class)][at(operation)];
    const std::string name = play.label < 0 ? "" : study_.model.labels[at(play.label)].name;
    if (times.started > times.began)
      slice(process, play.stream, {"wait: " + name, times.began, times.started});
    slice(process, play.stream, {name, times.started, times.ended});
    if (play.channel < 0 || times.ended <= times.started) return;
    events_.push_back(Json{{"ph", times.last_class == rank_class ? "s" : "f"},
                           {"bp", "e"},
                           {"id", play.channel + 1},
                           {"pid", process},
                           {"tid", play.stream},
                           {"ts", microseconds_of(times.started)},
                           {"cat", "collective"},
                           {"name", study_.model.channels[at(play.channel)].name}});
  }

  struct Slice {
    std::string name;
    double from, to;
  };
  void slice(int process, int stream, const Slice& slice) {
    events_.push_back(Json{{"ph", "X"},
                           {"pid", process},
                           {"tid", stream},
                           {"ts", microseconds_of(slice.from)},
                           {"dur", microseconds_of(slice.to - slice.from)},
                           {"name", slice.name}});
  }

  const StepStudy& study_;
  Json events_ = Json::array();
};

}  // namespace

std::string step_json(const StepStudy& study) {
  Json json;
  json["job"] = study.job;
  json["gpus"] = study.gpus;
  json["step_s"] = study.step();
  json["ideal_step_s"] = study.ideal.step();
  json["flops"] = study.flops;
  json["tflops_per_gpu"] = study.flops / study.step() / study.gpus / 1e12;
  json["classes_of_ranks"] = study.model.classes.size();
  json["ideal"] = spent_json(study.ideal.spent);
  json["causes"] = causes_json(study.costs);
  json["actual"] = spent_json(study.actual.spent);
  json["critical_path"] = spent_json(study.critical);
  json["critical_path_by_rank"] = blamed_json(study.on_path);
  json["waited_for"] = blamed_json(study.waited_for);
  json["counterfactuals"] = Json{{"without_stragglers_s", study.without_stragglers},
                                 {"on_ideal_network_s", study.on_ideal_network},
                                 {"without_overlap_cost_s", study.without_overlap_cost}};
  return json.dump(2) + "\n";
}

std::string step_timeline_json(const StepStudy& study) { return TimelineWriter(study).write(); }

}  // namespace trainyard
