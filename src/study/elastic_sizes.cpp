#include "study/elastic_sizes.hpp"

#include "base/text.hpp"
#include "config/bounds.hpp"

#include <cstdint>

namespace trainyard {

namespace {

constexpr int kMostFactor = 1 << 20;
constexpr int kMostSizes = 4096;

}  // namespace

void read_elastic(Section& section, const PlanTable& plans, Job& job) {
  std::optional<Section> elastic = section.maybe_section("elastic");
  if (!elastic) return;
  const int replica = plans.replica_of(job);
  if (replica == 0)
    throw elastic->error("job '" + job.name +
                         "' cannot change its size: its plan is played as it stands");
  const int min = bounded_int_or(*elastic, "min", {1, job.gpus}, job.gpus);
  const int max = bounded_int_or(*elastic, "max", {job.gpus, plans.most_gpus()}, job.gpus);
  const int step = bounded_int_or(*elastic, "step", {1, plans.most_gpus()}, replica);
  elastic->finish();
  if (step % replica != 0 || job.gpus % step != 0)
    throw elastic->error("step", "must be a multiple of the " + counted(replica, "GPU") +
                                     " of a replica and divide the job's " +
                                     counted(job.gpus, "GPU") + ", got '" + std::to_string(step) +
                                     "'");
  if ((max - min) / step >= kMostSizes)
    throw elastic->error("step", "leaves more than " + std::to_string(kMostSizes) + " sizes");
  std::vector<int> sizes;
  for (int gpus = (min + step - 1) / step * step; gpus <= max; gpus += step)
    if (plans.could_have(job, gpus)) sizes.push_back(gpus);
  if (sizes.size() < 2)
    throw elastic->error("leaves job '" + job.name + "' no other size than " +
                         counted(job.gpus, "GPU"));
  job.sizes = std::move(sizes);
}

void ElasticFactors::apply(const PlanTable& plans, Job& job) const {
  if (plans.replica_of(job) == 0) return;
  std::vector<int> sizes;
  int least = job.gpus;
  for (int factor = 2; factor <= shrink && least % 2 == 0; factor *= 2) least /= 2;
  const std::int64_t most = std::int64_t{job.gpus} * grow;
  for (std::int64_t gpus = least; gpus <= most && gpus <= plans.most_gpus(); gpus *= 2)
    if (plans.could_have(job, static_cast<int>(gpus))) sizes.push_back(static_cast<int>(gpus));
  if (sizes.size() > 1) job.sizes = std::move(sizes);
}

std::optional<ElasticFactors> read_elastic_factors(Section& trace) {
  std::optional<Section> section = trace.maybe_section("elastic");
  if (!section) return std::nullopt;
  ElasticFactors factors;
  factors.shrink = bounded_int_or(*section, "shrink", {1, kMostFactor}, 1);
  factors.grow = bounded_int_or(*section, "grow", {1, kMostFactor}, 1);
  section->finish();
  return factors;
}

}  // namespace trainyard
