#include "study/trace_reader.hpp"

#include "base/text.hpp"
#include "config/bounds.hpp"
#include "study/elastic_sizes.hpp"
#include "study/trace_limits.hpp"
#include "workload/importers/jobs/registry.hpp"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace {

constexpr int kMostGpus = std::numeric_limits<int>::max();

// Jobs from `from_gpus` to `to_gpus`, of this model if it names one, get this plan; the first rule
// that fits decides.
struct PlanRule {
  int from_gpus = 1, to_gpus = kMostGpus;
  std::optional<std::string> model;
  int plan = -1;
};

std::vector<PlanRule> read_rules(Section& trace, const PlanTable& plans) {
  std::vector<PlanRule> rules;
  if (!trace.has("plans")) return rules;
  for (Section& section : trace.sections("plans")) {
    PlanRule rule;
    rule.from_gpus = bounded_int_or(section, "from_gpus", {1, kMostGpus}, 1);
    rule.to_gpus = bounded_int_or(section, "to_gpus", {rule.from_gpus, kMostGpus}, kMostGpus);
    rule.model = section.maybe_text("model");
    rule.plan = plans.find(section, "plan", section.text("plan"));
    section.finish();
    rules.push_back(rule);
  }
  return rules;
}

int plan_of(const Job& job, const std::string& model, const std::vector<PlanRule>& rules) {
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const PlanRule& each) {
    return job.gpus >= each.from_gpus && job.gpus <= each.to_gpus &&
           (!each.model || *each.model == model);
  });
  return rule == rules.end() ? -1 : rule->plan;
}

std::map<std::string, std::int64_t> read_priorities(Section queues, TraceAsks asks) {
  std::map<std::string, std::int64_t> priorities;
  for (const std::string& queue : queues.keys()) {
    std::string name = queue;
    if (asks == TraceAsks::Processors) {
      const auto number = parse_integer(queue);
      if (!number) throw queues.error(queue, "must be a queue's number");
      name = std::to_string(*number);
    }
    if (priorities.count(name) > 0) throw queues.error(queue, "this queue has its priority");
    priorities[name] = queues.integer(queue, std::numeric_limits<std::int64_t>::min());
  }
  queues.finish();
  return priorities;
}

std::map<std::string, Seconds> read_run_times(Section applications) {
  std::map<std::string, Seconds> times;
  for (const std::string& name : applications.keys()) {
    times[name] = bounded_seconds(applications, name);
    if (times[name] <= Seconds(0)) throw applications.error(name, "must be more than zero");
  }
  applications.finish();
  return times;
}

// A list, or as sacct's --format has them: "JobID,Submit,Elapsed%20".
std::vector<std::string> read_columns(Section& trace) {
  std::vector<std::string> columns =
      trace.is_list("columns") ? trace.texts("columns") : split(trace.text("columns"), ',');
  for (std::string& column : columns)
    column = std::string(trim(column.substr(0, column.find('%'))));
  return columns;
}

// What this format leaves open.
void read_answers(Section& trace, TraceAsks asks, const PathResolver& resolve,
                  JobTraceOptions& options) {
  if (asks == TraceAsks::Processors)
    options.gpus_per_processor = bounded_int_or(trace, "gpus_per_processor", {1, kMostGpus}, 1);
  if (asks == TraceAsks::Columns && trace.has("columns")) options.columns = read_columns(trace);
  if (asks == TraceAsks::RunTimes) options.run_times = read_run_times(trace.section("run_times"));
  if (asks != TraceAsks::Throughputs || !trace.has("throughputs")) return;
  options.throughputs = resolve(trace.text("throughputs"));
  options.worker = trace.text_or("worker", "v100");
}

JobTraceOptions read_options(Section& trace, TraceAsks asks, const PathResolver& resolve) {
  JobTraceOptions options;
  read_answers(trace, asks, resolve, options);
  options.max_jobs = trace.integer_or("max_jobs", 0, 0);
  options.default_limit = positive_seconds_or(trace, "default_limit", days(1));
  if (std::optional<Section> queues = trace.maybe_section("queue_priority"))
    options.queue_priority = read_priorities(std::move(*queues), asks);
  return options;
}

const JobTraceFormat& read_format(Section& trace) {
  std::vector<std::string> names;
  for (const JobTraceFormat& format : job_trace_formats()) names.emplace_back(format.name);
  const std::string name = trace.one_of("format", names);
  const auto named = [&](const JobTraceFormat& format) { return format.name == name; };
  return *std::find_if(job_trace_formats().begin(), job_trace_formats().end(), named);
}

void count(const JobTrace& trace, std::map<std::string, std::int64_t>& counts) {
  for (const auto& [reason, jobs] : trace.dropped) counts["dropped: " + reason] += jobs;
  counts["recorded run time above own limit"] += trace.over_limit;
}

}  // namespace

std::vector<Job> read_trace(Section trace, const std::string& workload, PlanTable& plans,
                            const PathResolver& resolve,
                            std::map<std::string, std::int64_t>& counts) {
  const JobTraceFormat& format = read_format(trace);
  const std::string file = resolve(trace.text("file"));
  const JobTraceOptions options = read_options(trace, format.asks, resolve);
  const TraceLimits limits = read_trace_limits(trace);
  const std::vector<PlanRule> rules = read_rules(trace, plans);
  const std::optional<ElasticFactors> elastic = read_elastic_factors(trace);
  trace.finish();
  JobTrace recorded = format.read(file, options);
  count(recorded, counts);
  for (std::size_t i = 0; i < recorded.jobs.size(); ++i) {
    Job& job = recorded.jobs[i];
    job.workload = workload;
    job.plan = plan_of(job, recorded.models[i], rules);
    if (job.steps && job.plan < 0)
      throw trace.error("file",
                        "its jobs have steps and no run times: give 'throughputs', or a plan "
                        "for every job; '" +
                            job.name + "' (" + recorded.models[i] + ", " +
                            counted(job.gpus, "GPU") + ") has none");
    limits.apply(job);
    plans.fit(job, trace, "file");
    if (elastic) elastic->apply(plans, job);
  }
  return std::move(recorded.jobs);
}

}  // namespace trainyard
