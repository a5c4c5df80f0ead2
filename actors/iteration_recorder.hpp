// Turns steps into iteration records and timeline spans, merging what is alike.
//
// `steps`: one record a step, consecutive equal steps merged. `segments`: one record for every
// stretch between changes of a job's neighbourhood, with mean values: small enough for a trace of
// months.
#pragma once

#include "network/fluid.hpp"
#include "report/event_log.hpp"

#include <functional>
#include <map>
#include <string>

namespace trainyard {

// What one step costs on its placement, and what removing a cause would save. Sums over steps have
// the same form.
struct StepCosts {
  Seconds isolated;  // without neighbours, slow parts included
  Seconds fabric;    // of that: paths that collide and oversubscription
  Seconds slow_gpu, slow_link, failed_link, variation, contention;
  std::string slow_gpu_name, slow_link_name, failed_link_name;
};

enum class IterationDetail { Steps, Segments };

class IterationRecorder {
public:
  struct StepFact {
    JobId job;
    int attempt = 0;
    std::int64_t first_step = 0, steps = 1;
    Seconds start, duration;  // duration: mean per step
    const StepCosts* costs = nullptr;
    Seconds varied;   // mean per step: beyond the costs' variation, with nobody else to blame
    Seconds stalled;  // mean per step: waiting for retransmissions
    LinkId stalled_by;
    Blame blame;
    bool jumped = false;
  };
  using Names = std::function<std::string(std::int32_t)>;

  IterationRecorder(EventLog& log, IterationDetail detail, Names job_name, Names link_name);

  void add(const StepFact& fact);
  void close(JobId job);  // the next step starts a new record
  void span(JobId job, int attempt, const std::string& name, Seconds start, Seconds end);

private:
  struct Open {
    IterationRecord record;
    Blame blame;
    bool open = false;
  };

  bool fits(const Open& open, const IterationRecord& record) const;
  void flush(Open& open);

  EventLog& log_;
  const IterationDetail detail_;
  Names job_name_, link_name_;
  std::map<JobId, Open> open_;
};

}  // namespace trainyard
