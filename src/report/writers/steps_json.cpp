// steps.json: for every attempt whose plan says what ranks do, what its mean step is made of.
//
// `ideal` (nominal parts, a fabric that is never in the way) says what ranks spend it on; `causes`
// says what each took beyond it, with its name. All of them sum to step_s. Seconds a step.
#include "report/writers/labels.hpp"
#include "report/writers/writers.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

// The iterations of an attempt, summed.
struct Steps {
  std::int64_t count = 0;
  double duration = 0;
  double fabric = 0, slow_gpu = 0, slow_link = 0, failed_link = 0, variation = 0, contention = 0;
  std::string slow_gpu_name, slow_link_name, failed_link_name;
  std::map<std::string, double> rivals;  // seconds by name
};

// "a 0.930; b 0.070", shares of `seconds`.
void add_rivals(const std::string& rivals, double seconds, std::map<std::string, double>& sums) {
  for (std::size_t begin = 0; begin < rivals.size();) {
    const std::size_t end = std::min(rivals.find("; ", begin), rivals.size());
    const std::size_t share = rivals.rfind(' ', end - 1);
    sums[rivals.substr(begin, share - begin)] += seconds * std::stod(rivals.substr(share + 1));
    begin = end + 2;
  }
}

void add(const IterationRecord& record, Steps& steps) {
  const auto count = static_cast<double>(record.steps);
  const auto all = [count](Seconds mean) { return count * in_seconds(mean); };
  steps.count += record.steps;
  steps.duration += all(record.duration);
  steps.fabric += all(record.fabric);
  steps.slow_gpu += all(record.slow_gpu);
  steps.slow_link += all(record.slow_link);
  steps.failed_link += all(record.failed_link);
  steps.variation += all(record.variation);
  steps.contention += all(record.contention);
  if (!record.slow_gpu_name.empty()) steps.slow_gpu_name = record.slow_gpu_name;
  if (!record.slow_link_name.empty()) steps.slow_link_name = record.slow_link_name;
  if (!record.failed_link_name.empty()) steps.failed_link_name = record.failed_link_name;
  add_rivals(record.rivals, all(record.contention), steps.rivals);
}

Json cause(double seconds, const std::string& who) {
  Json json{{"s", seconds}};
  if (!who.empty()) json["who"] = who;
  return json;
}

Json causes_of(const Steps& steps) {
  const auto count = static_cast<double>(steps.count);
  Json json;
  json["fabric"] = cause(steps.fabric / count, "");
  json["slow_gpu"] = cause(steps.slow_gpu / count, steps.slow_gpu_name);
  json["slow_link"] = cause(steps.slow_link / count, steps.slow_link_name);
  json["failed_link"] = cause(steps.failed_link / count, steps.failed_link_name);
  json["variation"] = cause(steps.variation / count, "");
  json["contention"] = cause(steps.contention / count, "");
  Json rivals = Json::array();
  for (const auto& [job, seconds] : steps.rivals)
    rivals.push_back(Json{{"job", job}, {"s", seconds / count}});
  json["contention"]["rivals"] = std::move(rivals);
  return json;
}

}  // namespace

void write_steps_json(const Report& report, std::ostream& out) {
  std::map<std::pair<JobId, int>, Steps> steps;
  for (const IterationRecord& record : report.log.iterations)
    add(record, steps[{record.job, record.attempt}]);
  const std::vector<std::string> labels = job_labels(report.log);
  Json attempts = Json::array();
  for (const StepRecord& record : report.log.steps) {
    const Steps& sum = steps[{record.job, record.attempt}];
    Json ideal;
    for (const auto& [name, seconds] : record.ideal) ideal[name + "_s"] = seconds;
    Json attempt{{"job", labels[record.job.index()]},
                 {"attempt", record.attempt},
                 {"steps", sum.count},
                 {"ideal", std::move(ideal)}};
    if (sum.count > 0) {
      attempt["step_s"] = sum.duration / static_cast<double>(sum.count);
      attempt["causes"] = causes_of(sum);
    }
    attempts.push_back(std::move(attempt));
  }
  out << attempts.dump(1) << '\n';
}

}  // namespace trainyard
