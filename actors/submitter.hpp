// Submits the jobs at their times: one actor, one message a job, in the order of their ids.
#pragma once

#include "sim/messages.hpp"
#include "workload/job.hpp"

#include <vector>

namespace trainyard {

class Submitter {
public:
  Submitter(const std::vector<Job>& jobs, SchedulerInbox& scheduler)
      : jobs_(jobs), scheduler_(scheduler) {}

  void operator()() const {
    for (const Job& job : jobs_) {
      const double ahead = in_seconds(job.submit) - simgrid::s4u::Engine::get_clock();
      if (ahead > 1e-9) simgrid::s4u::this_actor::sleep_for(ahead);  // SimGrid's precision
      scheduler_.post(JobSubmitted{job.id});
    }
    scheduler_.post(SubmissionsEnded{});
  }

private:
  const std::vector<Job>& jobs_;
  SchedulerInbox& scheduler_;
};

}  // namespace trainyard
