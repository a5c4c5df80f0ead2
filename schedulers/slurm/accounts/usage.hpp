// What accounts, users and qualities of service use now, and have used.
//
// Running jobs count against limits; past use, decayed, decides fair shares. Both are kept for an
// association and all that stand above it.
#pragma once

#include "schedulers/slurm/job/record.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <map>
#include <string>
#include <vector>

namespace trainyard::slurm {

// Of one job: what its limits are counted in.
struct TresCount {
  double cpus = 0, nodes = 0, gpus = 0, memory = 0;

  double of(const std::string& tres) const;  // 0 for what is not counted
  TresCount& operator+=(const TresCount& other);
  TresCount& operator-=(const TresCount& other);
};

TresCount tres_of(const Allocation& allocation);
TresCount tres_of(const Request& request, int nodes);

// Σ TRESBillingWeights·tres; CPUs where the partition has no weights.
double billing_of(const SlurmSite& site, const SlurmPartition& partition, const TresCount& tres);

struct InUse {
  int jobs = 0;
  TresCount tres;
};

class AccountUsage {
public:
  explicit AccountUsage(const SlurmSite& site);

  void started(const SlurmSite& site, const JobRecord& record);
  void ended(const SlurmSite& site, const JobRecord& record);

  // Adds what running jobs used since the last call, then lets all use decay.
  void charge(const SlurmSite& site, const std::vector<const JobRecord*>& running, Time now);
  // Of one job that ends before the next charge().
  void charge_end(const SlurmSite& site, const JobRecord& record, Time now);

  const InUse& association(int index) const {
    return associations_[static_cast<std::size_t>(index)];
  }
  const InUse& qos(int index) const { return qos_[static_cast<std::size_t>(index)]; }
  InUse qos_user(int qos, const std::string& user) const;
  double raw(int association) const { return raw_[static_cast<std::size_t>(association)]; }

private:
  void add_raw(const SlurmSite& site, const JobRecord& record, Time until);

  std::vector<InUse> associations_, qos_;
  std::map<std::pair<int, std::string>, InUse> qos_users_;
  std::vector<double> raw_;
  Time charged_ = 0;
};

}  // namespace trainyard::slurm
