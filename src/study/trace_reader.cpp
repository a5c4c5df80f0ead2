#include "study/trace_reader.hpp"

#include "base/text.hpp"
#include "config/bounds.hpp"
#include "workload/importers/swf.hpp"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace {

constexpr int kMostGpus = std::numeric_limits<int>::max();

// Jobs from `from_gpus` to `to_gpus` get this plan; the first rule that fits decides.
struct PlanRule {
  int from_gpus = 1, to_gpus = kMostGpus;
  int plan = -1;
};

std::vector<PlanRule> read_rules(Section& trace, const PlanTable& plans) {
  std::vector<PlanRule> rules;
  if (!trace.has("plans")) return rules;
  for (Section& section : trace.sections("plans")) {
    PlanRule rule;
    rule.from_gpus = bounded_int_or(section, "from_gpus", {1, kMostGpus}, 1);
    rule.to_gpus = bounded_int_or(section, "to_gpus", {rule.from_gpus, kMostGpus}, kMostGpus);
    rule.plan = plans.find(section, "plan", section.text("plan"));
    section.finish();
    rules.push_back(rule);
  }
  return rules;
}

int plan_of(const Job& job, const std::vector<PlanRule>& rules) {
  const auto rule = std::find_if(rules.begin(), rules.end(), [&job](const PlanRule& each) {
    return job.gpus >= each.from_gpus && job.gpus <= each.to_gpus;
  });
  return rule == rules.end() ? -1 : rule->plan;
}

std::map<std::int64_t, std::int64_t> read_priorities(Section queues) {
  std::map<std::int64_t, std::int64_t> priorities;
  for (const std::string& queue : queues.keys()) {
    const auto number = parse_integer(queue);
    if (!number) throw queues.error(queue, "must be a queue's number");
    if (priorities.count(*number) > 0) throw queues.error(queue, "this queue has its priority");
    priorities[*number] = queues.integer(queue, std::numeric_limits<std::int64_t>::min());
  }
  queues.finish();
  return priorities;
}

SwfOptions read_options(Section& trace) {
  SwfOptions options;
  options.gpus_per_processor = bounded_int_or(trace, "gpus_per_processor", {1, kMostGpus}, 1);
  options.max_jobs = trace.integer_or("max_jobs", 0, 0);
  options.default_limit = positive_seconds_or(trace, "default_limit", days(1));
  if (std::optional<Section> queues = trace.maybe_section("queue_priority"))
    options.queue_priority = read_priorities(std::move(*queues));
  return options;
}

void count(const SwfTrace& trace, std::map<std::string, std::int64_t>& counts) {
  for (const auto& [reason, jobs] : trace.dropped) counts["dropped: " + reason] += jobs;
  counts["recorded run time above own limit"] += trace.over_limit;
}

}  // namespace

std::vector<Job> read_trace(Section trace, const std::string& workload, PlanTable& plans,
                            const PathResolver& resolve,
                            std::map<std::string, std::int64_t>& counts) {
  trace.one_of("format", {"swf"});
  const std::string file = resolve(trace.text("file"));
  const SwfOptions options = read_options(trace);
  const double grace = trace.number_or("limit_grace", 0, 100, 0.1);
  const std::vector<PlanRule> rules = read_rules(trace, plans);
  trace.finish();
  SwfTrace swf = read_swf(file, options);
  count(swf, counts);
  for (Job& job : swf.jobs) {
    job.workload = workload;
    job.kill_after = std::max(job.limit, job.run_time) * (1 + grace);
    job.plan = plan_of(job, rules);
    plans.fit(job, trace, "file");
  }
  return std::move(swf.jobs);
}

}  // namespace trainyard
