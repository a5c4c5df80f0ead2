#include "study/experiment.hpp"

#include "base/text.hpp"
#include "config/bounds.hpp"
#include "platforms/xml.hpp"
#include "schedulers/registry.hpp"
#include "study/network_reader.hpp"
#include "study/slow_parts.hpp"
#include "study/slurm_reader.hpp"
#include "study/workload_reader.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace trainyard {

namespace {

constexpr Seconds kShortestCheckpoint = milliseconds(1);  // or a job would have too many to count

template <typename Entry>
std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  return names;
}

// `platform: file.xml`, or `platform: {file: file.xml, oversubscription: 4}`: every other key
// replaces a property of the file.
Platform read_platform(Section& root, const PathResolver& resolve, const PlainLoader& load_plain) {
  std::string file;
  std::vector<std::pair<std::string, Properties::Value>> overrides;
  if (root.is_section("platform")) {
    Section section = root.section("platform");
    file = section.text("file");
    for (const std::string& key : section.keys())
      if (key != "file") overrides.push_back({key, {section.text(key), section.place(key)}});
    section.finish();
  } else {
    file = root.text("platform");
  }
  file = resolve(file);
  if (!is_plain_simgrid(file)) return load_platform(file, overrides);
  if (!overrides.empty())
    throw root.error("platform",
                     "a plain SimGrid platform has no property '" + overrides.front().first + "'");
  return load_plain(file);
}

// `command` and `timeout` of policy `process`. The program runs in the experiment's folder.
void read_program(Section& section, const PathResolver& resolve, ProgramCommand& program) {
  program.words = section.texts("command");
  if (program.words.empty() || program.words.front().empty())
    throw section.error("command", "must name a program");
  program.directory = resolve(".");
  program.timeout = positive_seconds_or(section, "timeout", seconds(10));
  if (program.timeout > hours(24)) throw section.error("timeout", "must be at most 1 d");
}

void read_scheduler(Section section, const Workload& workload, const PathResolver& resolve,
                    Experiment& experiment) {
  std::vector<std::string> names = names_of(policies());
  names.emplace_back("slurm");
  experiment.policy = section.one_of_or("policy", names, "backfill");
  if (experiment.policy == "slurm") {
    experiment.slurm = read_slurm_site(section.section("site"), experiment.platform, resolve);
    submit_to(*experiment.slurm, workload);
    experiment.placement = "slurm";
    experiment.scheduler.latency = bounded_seconds_or(section, "latency", Seconds(0));
    return section.finish();
  }
  experiment.placement = section.one_of_or("placement", names_of(placements()), "pack_by_leaf");
  experiment.scheduler.latency = bounded_seconds_or(section, "latency", milliseconds(1));
  experiment.scheduler.grace = bounded_seconds_or(section, "grace", minutes(5));
  if (experiment.policy == "gang") {
    experiment.policy_options.time_slice = positive_seconds_or(section, "time_slice", seconds(60));
    if (experiment.policy_options.time_slice < milliseconds(100))
      throw section.error("time_slice", "must be at least 100 ms");
  }
  if (experiment.policy == "elastic")
    experiment.policy_options.grow_after = bounded_seconds_or(section, "grow_after", minutes(10));
  if (experiment.policy == "process")
    read_program(section, resolve, experiment.policy_options.program);
  section.finish();
}

void read_output(Section section, Experiment& experiment) {
  const std::string detail = section.one_of_or("iterations", {"steps", "segments"}, "steps");
  experiment.iterations = detail == "steps" ? IterationDetail::Steps : IterationDetail::Segments;
  experiment.timeline = section.yes_no_or("timeline", true);
  experiment.attempts.explain_steps = section.yes_no_or("steps", true);
  experiment.links_every = bounded_seconds_or(section, "links_every", Seconds(0));
  if (experiment.links_every > Seconds(0) && experiment.links_every < milliseconds(1))
    throw section.error("links_every", "must be at least 1 ms");
  section.finish();
}

// "${NAME}/rest": the value of an environment variable, for data that does not belong to the
// project.
std::string expand_variable(const Section& root, const std::string& path) {
  const std::size_t end = path.find('}');
  if (path.rfind("${", 0) != 0 || end == std::string::npos) return path;
  const std::string name = path.substr(2, end - 2);
  const char* value = std::getenv(name.c_str());
  if (!value) throw root.error("'" + path + "' needs the environment variable " + name);
  return std::filesystem::absolute(value).string() + path.substr(end + 1);
}

namespace fs = std::filesystem;

PathResolver read_base(Section& root) {
  const fs::path base = root.text("relative_to");
  return [base, &root](const std::string& path) {
    return (base / expand_variable(root, path)).lexically_normal().string();
  };
}

CheckpointRule read_checkpoint(Section section) {
  const CheckpointRule rule = read_checkpoint_rule(section);
  if (rule.every > Seconds(0) && rule.every < kShortestCheckpoint)
    throw section.error("every", "must be at least 1 ms");
  check_bound(section, "every", rule.every);
  check_bound(section, "write", rule.write);
  return rule;
}

void read_failures(const Section& root, Section& section, Experiment& experiment) {
  experiment.failures = read_failures(section, experiment.platform);
  if (!experiment.failures.links_may_fail()) return;
  if (experiment.model != NetworkModel::Flow)
    throw root.infeasible("failures", "links fail under network model 'flow' only");
  if (experiment.platform.topology == "plain")
    throw root.infeasible("failures",
                          "the routes of a plain SimGrid platform are fixed: its links "
                          "cannot fail");
}

void read_attempts(Section& root, Experiment& experiment) {
  experiment.attempts.checkpoint = read_checkpoint(root.section_or_empty("checkpoint"));
  experiment.attempts.restart = bounded_seconds_or(root, "restart", Seconds(0));
  if (root.has("resize")) experiment.attempts.resize = bounded_seconds(root, "resize");
  const std::string runtime =
      root.one_of_or("trace_runtime", {"isolated", "as_recorded"}, "isolated");
  experiment.attempts.runtime =
      runtime == "isolated" ? TraceRuntime::Isolated : TraceRuntime::AsRecorded;
  experiment.attempts.fold = root.yes_no_or("fold", true);
  const bool simgrid = experiment.model == NetworkModel::Simgrid;
  experiment.time_compression = root.yes_no_or("time_compression", !simgrid);
  if (experiment.time_compression && simgrid)
    throw root.infeasible("time_compression",
                          "'simgrid' plays every step; 'time_compression' must be off");
}

}  // namespace

std::string experiment_name(Document& document, const std::string& file) {
  const fs::path path = fs::absolute(file);
  const fs::path folder = path.parent_path().filename();
  Section root = document.root();
  std::string name = root.text_or("name", (folder.empty() ? path.stem() : folder).string());
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
    throw root.error("name", "must be usable as a folder's name, got '" + name + "'");
  return name;
}

void anchor(Document& document, const std::string& file) {
  const fs::path here = fs::absolute(fs::path(file)).parent_path();
  Section root = document.root();
  fs::path base = (here / root.text_or("relative_to", ".")).lexically_normal();
  if (!base.has_filename()) base = base.parent_path();  // no slash at the end
  document.set_text("relative_to", base.string(), root.place("relative_to"));
  document.set_text("name", experiment_name(document, file), root.place("name"));
}

Experiment read_experiment(Document& document, const std::string& file,
                           const PlainLoader& load_plain) {
  anchor(document, file);
  Experiment experiment;
  Section root = document.root();
  experiment.name = root.text("name");
  experiment.question = root.text_or("question", "");
  const PathResolver resolve = read_base(root);
  experiment.platform = read_platform(root, resolve, load_plain);
  experiment.calibration = calibration_of(experiment.platform);
  read_network(root.section_or_empty("network"), experiment);
  SlowParts slow = read_slow_parts(root.section_or_empty("slow"), experiment.platform);
  experiment.gpu_slowdown = std::move(slow.gpu_slowdown);
  experiment.link_factor = std::move(slow.link_factor);
  const auto is_slow = [](double factor) { return factor != 1; };
  if (experiment.model == NetworkModel::Analytic &&
      std::any_of(experiment.link_factor.begin(), experiment.link_factor.end(), is_slow))
    throw root.infeasible("slow",
                          "network model 'analytic' has every link at its nominal rate: "
                          "'links' would have no effect");
  Workload workload = read_workload(root, experiment.platform, resolve);
  experiment.plans = std::move(workload.plans);
  read_scheduler(root.section_or_empty("scheduler"), workload, resolve, experiment);
  experiment.jobs = std::move(workload.jobs);
  check_offload(root, experiment);
  experiment.counts = std::move(workload.counts);
  read_attempts(root, experiment);
  experiment.attempts.alone = experiment.jobs.size() == 1;
  experiment.attempts.variation = read_variation(root.section_or_empty("imperfections"));
  experiment.attempts.variation.spells = std::move(slow.spells);
  if (std::optional<Section> failures = root.maybe_section("failures"))
    read_failures(root, *failures, experiment);
  experiment.seed = static_cast<std::uint64_t>(root.integer_or("seed", 0, 1));
  experiment.routing.seed = experiment.attempts.variation.seed = experiment.seed;
  read_output(root.section_or_empty("output"), experiment);
  root.finish();
  return experiment;
}

}  // namespace trainyard
