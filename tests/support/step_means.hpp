// What a job's steps took on the mean, and what each cause took of them by its name.
#pragma once

#include "report/event_log.hpp"

#include <string>

namespace trainyard {

struct StepMeans {
  double step = 0, isolated = 0, ideal = 0;  // seconds
  double fabric = 0, slow_gpu = 0, slow_link = 0, contention = 0;
  std::string slow_gpu_name, slow_link_name, rivals, rival_link;
};

StepMeans step_means(const EventLog& log, const std::string& job);

}  // namespace trainyard
