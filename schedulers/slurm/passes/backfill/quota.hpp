// How many jobs of a user, account and partition one backfill cycle looks at, and gives a place.
#pragma once

#include "schedulers/slurm/job/record.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::slurm {

class BackfillQuota {
public:
  explicit BackfillQuota(const SlurmSite& site)
      : settings_(site.parameters.scheduler),
        by_partition_(site.partitions.size()),
        reserved_(site.partitions.size()) {}

  // Counts the job; false if one of its quotas is used up.
  bool take(const JobRecord& record, int partition) {
    int& of_partition = by_partition_[static_cast<std::size_t>(partition)];
    int& of_user = by_user_[record.job->user];
    int& of_both = by_both_[{record.job->user, partition}];
    int& of_account = by_association_[record.association];
    if (used_up(of_both, settings_.bf_max_job_user_part) ||
        used_up(of_partition, settings_.bf_max_job_part) ||
        (record.association >= 0 && used_up(of_account, settings_.bf_max_job_assoc)) ||
        used_up(of_user, settings_.bf_max_job_user))
      return false;
    ++of_partition, ++of_user, ++of_both, ++of_account;
    return true;
  }

  bool may_reserve(int partition) const {
    return !used_up(reserved_[static_cast<std::size_t>(partition)],
                    settings_.bf_job_part_count_reserve);
  }
  void reserved(int partition) { ++reserved_[static_cast<std::size_t>(partition)]; }

private:
  static bool used_up(int count, int limit) { return limit > 0 && count >= limit; }

  const SchedulerSettings& settings_;
  std::vector<int> by_partition_, reserved_;
  std::map<std::string, int> by_user_;
  std::map<std::pair<std::string, int>, int> by_both_;
  std::map<int, int> by_association_;
};

}  // namespace trainyard::slurm
