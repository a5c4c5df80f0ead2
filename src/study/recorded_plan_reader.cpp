#include "study/recorded_plan_reader.hpp"

#include "base/text.hpp"
#include "workload/compute/preset_times.hpp"
#include "workload/importers/recorded/assemble.hpp"
#include "workload/importers/trace_formats.hpp"

#include <algorithm>
#include <optional>

namespace trainyard {

namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const TraceFormat& format : trace_formats()) names.emplace_back(format.name);
  return names;
}

}  // namespace

std::shared_ptr<const JobProgram> RecordedPlan::make_program(int gpus) const {
  if (static_cast<std::size_t>(gpus) == job->ranks.size()) return job;
  throw InfeasibleError({file}, "",
                        "was recorded on " +
                            counted(static_cast<std::int64_t>(job->ranks.size()), "rank") +
                            "; a job of " + counted(gpus, "GPU") + " cannot play it");
}

// As many as the largest tensor group, if a node holds them.
int RecordedPlan::gpus_per_block(int gpus, int gpus_per_node) const {
  int block = 1;
  for (const ProcessGroup& group : job->groups)
    if (job->slots[static_cast<std::size_t>(group.slot)].dimension == Dimension::Tensor)
      block = std::max(block, static_cast<int>(group.ranks.size()));
  block = std::min({block, gpus, gpus_per_node});
  while (gpus % block != 0) --block;
  return block;
}

std::shared_ptr<RecordedPlan> read_recorded_plan(Section& section, const Platform& platform,
                                                 const PathResolver& resolve) {
  RecordedOptions options;
  std::optional<PresetTimes> times;
  if (!platform.hardware.gpu.empty()) options.kernels = &times.emplace(platform.hardware.gpu);
  options.files = section.is_list("recorded") ? section.texts("recorded")
                                              : std::vector<std::string>{section.text("recorded")};
  for (std::string& file : options.files) file = resolve(file);
  const std::string format = section.has("format") ? section.one_of("format", format_names()) : "";
  if (section.has("groups")) options.groups = resolve(section.text("groups"));
  if (section.has("ranks")) options.ranks = section.positive_int("ranks");
  const bool alike = section.yes_no_or("alike", false);
  section.finish();
  RecordedStep step = read_recorded(options, format);
  if (alike) fill_alike(step);
  auto plan = std::make_shared<RecordedPlan>();
  plan->file = options.files.front();
  plan->job = std::make_shared<const JobProgram>(sound_job(step));
  return plan;
}

}  // namespace trainyard
