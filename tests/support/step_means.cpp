#include "support/step_means.hpp"

#include "support/experiment_run.hpp"

namespace trainyard {

StepMeans step_means(const EventLog& log, const std::string& job) {
  StepMeans means;
  double steps = 0;
  for (const IterationRecord& record : iterations_of(log, job)) {
    const auto n = static_cast<double>(record.steps);
    steps += n;
    means.step += n * in_seconds(record.duration);
    means.isolated += n * in_seconds(record.isolated);
    means.ideal += n * in_seconds(analytic_step(record));
    means.fabric += n * in_seconds(record.fabric);
    means.slow_gpu += n * in_seconds(record.slow_gpu);
    means.slow_link += n * in_seconds(record.slow_link);
    means.contention += n * in_seconds(record.contention);
    means.slow_gpu_name = record.slow_gpu_name;
    means.slow_link_name = record.slow_link_name;
    if (!record.rivals.empty()) means.rivals = record.rivals;
    if (!record.rival_link.empty()) means.rival_link = record.rival_link;
  }
  for (double* sum : {&means.step, &means.isolated, &means.ideal, &means.fabric, &means.slow_gpu,
                      &means.slow_link, &means.contention})
    *sum /= steps;
  return means;
}

}  // namespace trainyard
