#include "study/parallel_plan_reader.hpp"

#include "base/text.hpp"
#include "platforms/gpus.hpp"
#include "workload/compute/profile.hpp"

#include <algorithm>

namespace trainyard {

namespace {

ModelSpec read_model(Section& section, const PathResolver& resolve) {
  if (!section.is_section("model")) return load_model_spec(resolve(section.text("model")));
  Section inlined = section.section("model");
  return read_model_spec(inlined);
}

std::string read_gpu(Section& section, const Platform& platform) {
  if (section.has("gpu")) return section.one_of("gpu", gpu_names());
  if (platform.hardware.gpu.empty())
    throw section.error("needs 'gpu', one of " + join(gpu_names()) + ": platform '" +
                        platform.name + "' does not say its own");
  return platform.hardware.gpu;
}

Efficiency read_efficiency(Section& section, const std::string& gpu, const PathResolver& resolve) {
  if (!section.has("efficiency")) return usual_efficiency(gpu);
  const std::string file = resolve(section.text("efficiency"));
  const std::vector<Efficiency> known = read_efficiencies(file);
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&gpu](const Efficiency& each) { return each.gpu == gpu; });
  if (found == known.end())
    throw section.error("efficiency", "'" + file + "' says nothing about GPU " + gpu);
  return *found;
}

}  // namespace

std::shared_ptr<ParallelPlan> read_parallel_plan(Section& section, const Platform& platform,
                                                 const PathResolver& resolve) {
  auto plan = std::make_shared<ParallelPlan>();
  plan->model = read_model(section, resolve);
  Section layout = section.section("layout");
  plan->layout = read_layout(layout);
  plan->efficiency = read_efficiency(section, read_gpu(section, platform), resolve);
  PresetTimes preset(plan->efficiency);
  if (section.has("profile"))
    plan->times = std::make_shared<ProfileTimes>(read_profile(resolve(section.text("profile"))),
                                                 std::move(preset));
  else
    plan->times = std::make_shared<PresetTimes>(std::move(preset));
  if (section.yes_no_or("check_memory", true))
    plan->memory = find_gpu_type(plan->efficiency.gpu)->memory;
  plan->overlap_cost = section.yes_no_or("overlap_cost", true);
  section.finish();
  return plan;
}

}  // namespace trainyard
