#include "study/experiment.hpp"

#include "base/text.hpp"
#include "platforms/xml.hpp"
#include "schedulers/registry.hpp"
#include "study/workload_reader.hpp"

#include <filesystem>

namespace trainyard {

namespace {

template <typename Entry>
std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
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

void read_network(Section section, Experiment& experiment) {
  const std::string model = section.one_of_or("model", {"flow", "simgrid"}, "flow");
  experiment.model = model == "flow" ? NetworkModel::Flow : NetworkModel::Simgrid;
  const std::string routing =
      section.one_of_or("routing", {"platform", "static", "ecmp", "spray"}, "platform");
  experiment.routing.policy = experiment.platform.default_routing;
  if (routing == "static") experiment.routing.policy = RoutingPolicy::Static;
  if (routing == "ecmp") experiment.routing.policy = RoutingPolicy::Ecmp;
  if (routing == "spray") experiment.routing.policy = RoutingPolicy::Spray;
  experiment.routing.queue_pairs = static_cast<int>(section.integer_or("queue_pairs", 1, 1));
  if (experiment.model == NetworkModel::Simgrid &&
      experiment.routing.policy == RoutingPolicy::Spray)
    throw section.infeasible("model",
                             "'simgrid' gives a pair one path; routing 'spray' needs all of them");
  if (experiment.model == NetworkModel::Simgrid && experiment.routing.queue_pairs > 1)
    throw section.infeasible("model", "'simgrid' gives a pair one path; 'queue_pairs' must be 1");
  section.finish();
}

// `slow: {gpus: [{gpu: node0/gpu1, factor: 1.07}], links: [{link: node0/gpu1/nic_up, factor:
// 0.5}]}`
void read_slow_parts(Section section, Experiment& experiment) {
  const Platform& platform = experiment.platform;
  experiment.gpu_slowdown.assign(platform.gpus.size(), 1.0);
  experiment.link_factor.assign(platform.links.size(), 1.0);
  if (section.has("gpus"))
    for (Section& entry : section.sections("gpus")) {
      const std::string name = entry.text("gpu");
      const GpuId gpu = find_gpu(platform, name);
      if (!gpu.valid()) throw entry.error("gpu", "no GPU '" + name + "' on this platform");
      experiment.gpu_slowdown[gpu.index()] = entry.number("factor", 1, 1e6);
      entry.finish();
    }
  if (section.has("links"))
    for (Section& entry : section.sections("links")) {
      const std::string name = entry.text("link");
      const LinkId link = find_link(platform, name);
      if (!link.valid()) {
        std::vector<std::string> names;
        for (const Link& known : platform.links) names.push_back(known.name);
        const std::string near = near_match(name, names);
        throw entry.error("link", "no link '" + name + "' on this platform" +
                                      (near.empty() ? "" : "; did you mean '" + near + "'?"));
      }
      experiment.link_factor[link.index()] = entry.number("factor", 1e-6, 1);
      entry.finish();
    }
  section.finish();
}

void read_scheduler(Section section, Experiment& experiment) {
  experiment.policy = section.one_of_or("policy", names_of(policies()), "backfill");
  experiment.placement = section.one_of_or("placement", names_of(placements()), "pack_by_leaf");
  experiment.scheduler.latency = section.seconds_or("latency", milliseconds(1));
  experiment.scheduler.grace = section.seconds_or("grace", minutes(5));
  section.finish();
}

void read_output(Section section, Experiment& experiment) {
  const std::string detail = section.one_of_or("iterations", {"steps", "segments"}, "steps");
  experiment.iterations = detail == "steps" ? IterationDetail::Steps : IterationDetail::Segments;
  experiment.timeline = section.yes_no_or("timeline", true);
  section.finish();
}

// A relative path means relative to the experiment's file; the resolved copy, which lives
// elsewhere, says so.
PathResolver read_base(Section& root, const std::string& file) {
  namespace fs = std::filesystem;
  const fs::path here = fs::absolute(fs::path(file)).parent_path().lexically_normal();
  const fs::path base = here / root.text_or("relative_to", here.string());
  return [base](const std::string& path) { return (base / path).lexically_normal().string(); };
}

CheckpointRule read_checkpoint(Section section) { return read_checkpoint_rule(section); }

void read_attempts(Section& root, Experiment& experiment) {
  experiment.attempts.checkpoint = read_checkpoint(root.section_or_empty("checkpoint"));
  experiment.attempts.restart = root.seconds_or("restart", Seconds(0));
  const std::string runtime =
      root.one_of_or("trace_runtime", {"isolated", "as_recorded"}, "isolated");
  experiment.attempts.runtime =
      runtime == "isolated" ? TraceRuntime::Isolated : TraceRuntime::AsRecorded;
  experiment.attempts.fold = root.yes_no_or("fold", true);
  experiment.time_compression = root.yes_no_or("time_compression", true);
  if (experiment.model == NetworkModel::Simgrid) experiment.time_compression = false;
}

}  // namespace

Experiment read_experiment(Document& document, const std::string& file,
                           const PlainLoader& load_plain) {
  Section root = document.root();
  Experiment experiment;
  experiment.name = std::filesystem::absolute(file).parent_path().filename().string();
  experiment.name = root.text_or("name", experiment.name);
  experiment.question = root.text_or("question", "");
  const PathResolver resolve = read_base(root, file);
  experiment.platform = read_platform(root, resolve, load_plain);
  read_network(root.section_or_empty("network"), experiment);
  read_slow_parts(root.section_or_empty("slow"), experiment);
  Workload workload = read_workload(root, experiment.platform, resolve);
  experiment.plans = std::move(workload.plans);
  experiment.jobs = std::move(workload.jobs);
  experiment.counts = std::move(workload.counts);
  read_scheduler(root.section_or_empty("scheduler"), experiment);
  read_attempts(root, experiment);
  if (std::optional<Section> failures = root.maybe_section("failures"))
    experiment.failures = read_failures(*failures, experiment.platform);
  experiment.seed = static_cast<std::uint64_t>(root.integer_or("seed", 0, 1));
  experiment.routing.seed = experiment.seed;
  read_output(root.section_or_empty("output"), experiment);
  root.finish();
  return experiment;
}

}  // namespace trainyard
