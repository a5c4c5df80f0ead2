#include "study/workload_reader.hpp"

#include "base/text.hpp"
#include "workload/importers/swf.hpp"

#include <algorithm>
#include <set>

namespace trainyard {

namespace {

// Jobs from `from_gpus` to `to_gpus` get this plan; the first rule that fits decides.
struct PlanRule {
  int from_gpus = 1, to_gpus = 1;
  int plan = -1;
};

class Reader {
public:
  Reader(const Platform& platform, const PathResolver& resolve)
      : platform_(platform), resolve_(resolve) {
    for (const Node& node : platform.nodes) widest_node_ = std::max(widest_node_, node.gpus);
  }

  Workload read(Section& root) {
    if (std::optional<Section> plans = root.maybe_section("plans")) read_plans(*plans);
    std::vector<Section> entries = root.sections("workload");
    for (std::size_t i = 0; i < entries.size(); ++i) read_entry(entries[i], i);
    if (workload_.jobs.empty()) throw root.error("workload", "has no job");
    number_jobs();
    return std::move(workload_);
  }

private:
  void read_plans(Section& plans) {
    for (const std::string& name : plans.keys()) {
      Section section = plans.section(name);
      TrainingPlan plan = read_training_plan(section);
      plan.name = name;
      workload_.plans.push_back(std::move(plan));
    }
    plans.finish();
  }

  int find_plan(Section& section, const std::string& key, const std::string& name) const {
    if (name == "none") return -1;
    std::vector<std::string> names = {"none"};
    for (std::size_t i = 0; i < workload_.plans.size(); ++i) {
      if (workload_.plans[i].name == name) return static_cast<int>(i);
      names.push_back(workload_.plans[i].name);
    }
    throw section.error(key, "no plan '" + name + "'" + suggestion(name, names));
  }

  void read_entry(Section& entry, std::size_t index) {
    const std::string name = entry.text_or("name", "w" + std::to_string(index));
    if (entry.has("trace") == entry.has("jobs"))
      throw entry.error("needs either 'trace' or 'jobs'");
    if (entry.has("trace"))
      read_trace(entry, name);
    else
      for (Section& job : entry.sections("jobs")) read_job(job, name);
    entry.finish();
  }

  void read_job(Section& section, const std::string& workload) {
    Job job;
    job.workload = workload;
    job.name = section.text("name");
    if (!names_.insert(job.name).second)
      throw section.error("name", "there is already a job '" + job.name + "'");
    job.gpus = section.positive_int("gpus");
    job.submit = section.seconds_or("submit", Seconds(0));
    job.priority = section.integer_or("priority", INT64_MIN, 0);
    job.limit = job.kill_after = section.seconds_or("limit", forever());
    job.plan = find_plan(section, "plan", section.text_or("plan", "none"));
    if (section.has("steps") == section.has("run_time"))
      throw section.error("needs either 'steps' (of its plan) or 'run_time'");
    if (section.has("steps")) {
      if (job.plan < 0)
        throw section.error("steps", "a job without a plan has no steps; give 'run_time'");
      job.steps = section.integer("steps", 1);
    } else {
      job.run_time = section.seconds("run_time");
      if (job.run_time <= Seconds(0)) throw section.error("run_time", "must be positive");
    }
    check_size(job, section, "gpus");
    set_block(job);
    section.finish();
    workload_.jobs.push_back(std::move(job));
  }

  void check_size(const Job& job, const Section& section, const std::string& key) const {
    if (job.gpus <= platform_.gpu_count()) return;
    throw section.infeasible(key, "job '" + job.name + "' wants " + std::to_string(job.gpus) +
                                      " GPUs; platform '" + platform_.name + "' has " +
                                      std::to_string(platform_.gpu_count()));
  }

  // A tensor group stays on one node.
  void set_block(Job& job) const {
    if (job.plan >= 0)
      job.gpus_per_block =
          workload_.plans[static_cast<std::size_t>(job.plan)].tensor_width(job.gpus, widest_node_);
  }

  void read_trace(Section& entry, const std::string& workload) {
    Section trace = entry.section("trace");
    trace.one_of("format", {"swf"});
    SwfOptions options;
    const std::string file = resolve_(trace.text("file"));
    options.gpus_per_processor = static_cast<int>(trace.integer_or("gpus_per_processor", 1, 1));
    options.max_jobs = trace.integer_or("max_jobs", 0, 0);
    options.default_limit = trace.seconds_or("default_limit", days(1));
    if (std::optional<Section> priority = trace.maybe_section("queue_priority")) {
      for (const std::string& queue : priority->keys()) {
        const auto number = parse_integer(queue);
        if (!number) throw priority->error(queue, "must be a queue's number");
        options.queue_priority[*number] = priority->integer(queue, INT64_MIN);
      }
      priority->finish();
    }
    const double grace = trace.number_or("limit_grace", 0, 100, 0.1);
    const std::vector<PlanRule> rules = read_rules(trace);
    const SwfTrace swf = read_swf(file, options);
    for (const auto& [reason, count] : swf.dropped) workload_.counts["dropped: " + reason] += count;
    workload_.counts["recorded run time above own limit"] += swf.over_limit;
    for (Job job : swf.jobs) {
      job.workload = workload;
      job.kill_after = std::max(job.limit, job.run_time) * (1 + grace);
      for (const PlanRule& rule : rules)
        if (job.gpus >= rule.from_gpus && job.gpus <= rule.to_gpus) {
          job.plan = rule.plan;
          break;
        }
      check_size(job, trace, "file");
      set_block(job);
      workload_.jobs.push_back(std::move(job));
    }
    trace.finish();
  }

  std::vector<PlanRule> read_rules(Section& trace) {
    std::vector<PlanRule> rules;
    if (!trace.has("plans")) return rules;
    for (Section& section : trace.sections("plans")) {
      PlanRule rule;
      rule.from_gpus = static_cast<int>(section.integer_or("from_gpus", 1, 1));
      rule.to_gpus = static_cast<int>(section.integer_or("to_gpus", rule.from_gpus, INT32_MAX));
      rule.plan = find_plan(section, "plan", section.text("plan"));
      section.finish();
      rules.push_back(rule);
    }
    return rules;
  }

  // Ids follow submission; of the same time, the file's order.
  void number_jobs() {
    std::stable_sort(workload_.jobs.begin(), workload_.jobs.end(),
                     [](const Job& a, const Job& b) { return a.submit < b.submit; });
    for (std::size_t i = 0; i < workload_.jobs.size(); ++i)
      workload_.jobs[i].id = JobId(static_cast<std::int64_t>(i));
  }

  const Platform& platform_;
  const PathResolver& resolve_;
  int widest_node_ = 1;
  std::set<std::string> names_;
  Workload workload_;
};

}  // namespace

Workload read_workload(Section& root, const Platform& platform, const PathResolver& resolve) {
  return Reader(platform, resolve).read(root);
}

}  // namespace trainyard
