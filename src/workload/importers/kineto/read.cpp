#include "workload/importers/kineto/read.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/kineto/meaning.hpp"
#include "workload/importers/kineto/operations.hpp"

#include <algorithm>

namespace trainyard {

namespace {

std::vector<KinetoProfile> read_profiles(const RecordedOptions& options) {
  std::vector<KinetoProfile> profiles;
  for (const std::string& file : named_files(options.files))
    profiles.push_back(read_kineto_profile(file));
  return profiles;
}

// The rank that each profile says, or that its file's name says.
std::vector<int> ranks_of(const std::vector<KinetoProfile>& profiles) {
  std::vector<int> ranks;
  for (const KinetoProfile& profile : profiles) {
    ranks.push_back(profile.rank ? static_cast<int>(*profile.rank)
                                 : rank_files({profile.file}).front().rank);
    for (std::size_t i = 0; i + 1 < ranks.size(); ++i)
      if (ranks[i] == ranks.back())
        throw InputError(
            {profile.file}, "",
            "is of rank " + std::to_string(ranks.back()) + ", as " + profiles[i].file + " is");
  }
  return ranks;
}

// The marked steps that all profiles have.
std::vector<std::int64_t> common_steps(const std::vector<KinetoProfile>& profiles) {
  std::vector<std::int64_t> common;
  for (const KinetoStep& step : profiles.front().steps) {
    const auto has_it = [&](const KinetoProfile& profile) {
      return std::any_of(profile.steps.begin(), profile.steps.end(),
                         [&](const KinetoStep& other) { return other.number == step.number; });
    };
    if (std::all_of(profiles.begin(), profiles.end(), has_it)) common.push_back(step.number);
  }
  return common;
}

KinetoStep whole(const KinetoProfile& profile) {
  KinetoStep step;
  step.start_us = profile.kernels.front().launched_us;
  for (const KinetoKernel& kernel : profile.kernels) {
    step.start_us = std::min(step.start_us, kernel.launched_us);
    step.end_us = std::max({step.end_us, kernel.launched_us + 1, kernel.end_us()});
  }
  return step;
}

// The GPU is the step's from its beginning on, or when it has done what was launched before: what
// it stands idle after that is the step's own launch gap.
double free_since(const KinetoProfile& profile, const KinetoStep& step) {
  double since = step.start_us;
  for (const KinetoKernel& kernel : profile.kernels)
    if (kernel.launched_us < step.start_us) since = std::max(since, kernel.end_us());
  return since;
}

void add_rank(const KinetoProfile& profile, const KinetoStep& marked, int rank, RecordedStep& step,
              RecordedGroups& groups) {
  const std::vector<KinetoKernel> kernels = kernels_of(profile, marked);
  if (kernels.empty())
    throw InputError({profile.file}, "ProfilerStep#" + std::to_string(marked.number),
                     "no kernel was launched in it");
  const KinetoMeanings meanings = meanings_of(profile, kernels, rank, step, groups);
  const double origin = std::min(kernels.front().start_us, free_since(profile, marked));
  RecordedRank& recorded = step.ranks[static_cast<std::size_t>(rank)];
  recorded.file = profile.file;
  recorded.operations = operations_of(kernels, meanings, origin);
}

}  // namespace

RecordedStep read_kineto(const RecordedOptions& options) {
  const std::vector<KinetoProfile> profiles = read_profiles(options);
  const std::vector<int> ranks = ranks_of(profiles);
  std::int64_t world = std::max(options.ranks, *std::max_element(ranks.begin(), ranks.end()) + 1);
  for (const KinetoProfile& profile : profiles) {
    world = std::max(world, profile.world.value_or(0));
    for (const auto& [name, members] : profile.groups)
      for (const int member : members) world = std::max<std::int64_t>(world, member + 1);
  }
  RecordedStep step;
  step.format = "kineto";
  step.unit = "event";
  step.ranks.resize(static_cast<std::size_t>(world));
  RecordedGroups groups(step);
  const std::vector<std::int64_t> steps = common_steps(profiles);
  if (!steps.empty())
    step.notes.push_back("step " + std::to_string(steps[steps.size() / 2]) + " of " +
                         std::to_string(steps.front()) + " to " + std::to_string(steps.back()));
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    KinetoStep chosen = whole(profiles[i]);
    for (const KinetoStep& marked : profiles[i].steps)
      if (!steps.empty() && marked.number == steps[steps.size() / 2]) chosen = marked;
    add_rank(profiles[i], chosen, ranks[i], step, groups);
  }
  if (static_cast<std::int64_t>(profiles.size()) < world)
    step.notes.push_back("profiles of " +
                         counted(static_cast<std::int64_t>(profiles.size()), "rank") + " of " +
                         std::to_string(world));
  return step;
}

}  // namespace trainyard
