// Gang scheduling: jobs that hold the same cores run in turn. A job of a higher tier casts its
// shadow on lower partitions: what it covers is suspended. Within a partition the time slice
// decides.
#pragma once

#include "schedulers/slurm/life/life.hpp"
#include "schedulers/slurm/state.hpp"

#include <vector>

namespace trainyard::slurm {

class Gang {
public:
  explicit Gang(const SlurmSite& site) : lists_(site.partitions.size()) {}

  void started(SlurmState& state, JobRecord& record, Decisions& decisions);
  void ended(SlurmState& state, const JobRecord& record, Decisions& decisions);
  void slice(SlurmState& state, Decisions& decisions);  // every SchedulerTimeSlice

private:
  enum class Row { Active, Filler, Waiting };
  struct Member {
    int job = 0;
    Row row = Row::Waiting;
    bool suspended = false;
  };

  void rebuild(SlurmState& state, int partition, Decisions& decisions);
  void rebuild_all(SlurmState& state, Decisions& decisions);
  ClusterUse shadows_on(const SlurmState& state, int partition) const;
  static bool fits(const SlurmState& state, const ClusterUse& use, const JobRecord& record);
  static void suspend(SlurmState& state, Member& member, Decisions& decisions);
  static void resume(SlurmState& state, Member& member, Decisions& decisions);

  std::vector<std::vector<Member>> lists_;  // of each partition
};

}  // namespace trainyard::slurm
