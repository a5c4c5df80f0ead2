#include "workload/importers/kineto/profile.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "workload/importers/chrome/events.hpp"

#include <algorithm>
#include <unordered_map>

namespace trainyard {

namespace {

constexpr std::int64_t kMostRanks = 1 << 20;

class Reader {
public:
  explicit Reader(const std::string& file) {
    profile_.file = file;
    ChromeEventReader reader;
    reader.event = [this](const ChromeEvent& event) { read(event); };
    reader.property = [this](const std::string& path, const std::string& value) {
      read_property(path, value);
    };
    read_chrome_events(file, reader);
  }

  KinetoProfile profile() {
    for (std::size_t i = 0; i < profile_.kernels.size(); ++i) {
      KinetoKernel& kernel = profile_.kernels[i];
      const auto launch = launches_.find(correlations_[i]);
      kernel.launched_us = launch == launches_.end() ? kernel.start_us : launch->second;
    }
    std::stable_sort(
        profile_.kernels.begin(), profile_.kernels.end(),
        [](const KinetoKernel& a, const KinetoKernel& b) { return a.start_us < b.start_us; });
    std::sort(profile_.steps.begin(), profile_.steps.end(),
              [](const KinetoStep& a, const KinetoStep& b) { return a.number < b.number; });
    return std::move(profile_);
  }

private:
  [[noreturn]] void fail(const ChromeEvent& event, const std::string& problem) const {
    throw InputError({profile_.file}, "event " + std::to_string(event.index), problem);
  }

  static std::optional<std::int64_t> integer(const ChromeEvent& event, const std::string& key) {
    const std::string* text = event.argument(key);
    return text == nullptr ? std::nullopt : parse_integer(*text);
  }

  static std::string text(const ChromeEvent& event, const std::string& key) {
    const std::string* found = event.argument(key);
    return found == nullptr ? "" : *found;
  }

  void read(const ChromeEvent& event) {
    if (event.phase != "X") return;
    const std::string& category = event.category;
    if (category == "kernel" || category == "gpu_memcpy" || category == "gpu_memset")
      read_kernel(event);
    else if (category == "cuda_runtime" || category == "cuda_driver")
      read_launch(event);
    else if (category == "user_annotation")
      read_step(event);
  }

  double start_of(const ChromeEvent& event) const {
    if (!event.start_us) fail(event, "has no ts");
    return *event.start_us;
  }

  double duration_of(const ChromeEvent& event) const {
    if (!event.duration_us) fail(event, "has no dur");
    if (!(*event.duration_us >= 0)) fail(event, "a duration below 0");
    return *event.duration_us;
  }

  void read_kernel(const ChromeEvent& event) {
    KinetoKernel kernel;
    kernel.name = event.name;
    kernel.event = event.index;
    kernel.start_us = start_of(event);
    kernel.duration_us = duration_of(event);
    kernel.device = integer(event, "device").value_or(0);
    kernel.stream = integer(event, "stream").value_or(parse_integer(event.thread).value_or(0));
    if (kernel.is_nccl() && event.argument("Collective name") != nullptr)
      kernel.collective = collective_of(event);
    profile_.kernels.push_back(std::move(kernel));
    correlations_.push_back(integer(event, "correlation").value_or(-1));
  }

  static KinetoCollective collective_of(const ChromeEvent& event) {
    KinetoCollective collective;
    collective.name = text(event, "Collective name");
    collective.dtype = text(event, "dtype");
    collective.in_elements = integer(event, "In msg nelems");
    collective.out_elements = integer(event, "Out msg nelems");
    collective.group = text(event, "Process Group Name");
    collective.ranks = text(event, "Process Group Ranks");
    collective.group_size = integer(event, "Group size");
    collective.from = integer(event, "Src Rank");
    collective.to = integer(event, "Dst Rank");
    return collective;
  }

  void read_launch(const ChromeEvent& event) {
    if (const auto correlation = integer(event, "correlation"))
      launches_[*correlation] = start_of(event);
  }

  void read_step(const ChromeEvent& event) {
    constexpr std::string_view kStep = "ProfilerStep#";
    if (event.name.compare(0, kStep.size(), kStep) != 0) return;
    const auto number = parse_integer(event.name.substr(kStep.size()));
    if (!number) fail(event, "'" + printable(event.name) + "' has no number");
    const double start = start_of(event);
    profile_.steps.push_back({*number, start, start + duration_of(event)});
  }

  void read_property(const std::string& path, const std::string& value) {
    const auto number = parse_integer(value);
    if (path == "distributedInfo.rank") profile_.rank = count(path, number);
    if (path == "distributedInfo.world_size") profile_.world = count(path, number);
    if (path == "distributedInfo.pg_config.pg_name") listed_ = value;
    if (path == "distributedInfo.pg_config.ranks")
      profile_.groups[listed_].push_back(static_cast<int>(count(path, number)));
  }

  std::int64_t count(const std::string& path, std::optional<std::int64_t> number) const {
    if (!number || *number < 0 || *number >= kMostRanks)
      throw InputError({profile_.file}, path, "must be a rank or a number of ranks");
    return *number;
  }

  KinetoProfile profile_;
  std::vector<std::int64_t> correlations_;             // of the kernels
  std::unordered_map<std::int64_t, double> launches_;  // by correlation; looked up only
  std::string listed_;                                 // the group whose ranks come next
};

}  // namespace

KinetoProfile read_kineto_profile(const std::string& file) {
  KinetoProfile profile = Reader(file).profile();
  if (profile.kernels.empty())
    throw InputError({file}, "", "holds no kernels: not a profile of a GPU");
  return profile;
}

std::vector<KinetoKernel> kernels_of(const KinetoProfile& profile, const KinetoStep& step) {
  std::vector<KinetoKernel> kernels;
  for (const KinetoKernel& kernel : profile.kernels)
    if (kernel.launched_us >= step.start_us && kernel.launched_us < step.end_us)
      kernels.push_back(kernel);
  return kernels;
}

}  // namespace trainyard
