// Accounts, users and qualities of service: what a site keeps in slurmdbd.
//
// Associations form a tree: the root is index 0, accounts stand above their users. Limits are
// absent where they are not set; TRES go by Slurm's names ("cpu", "mem", "node", "gres/gpu").
#pragma once

#include "schedulers/slurm/site/preempt_mode.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::slurm {

using TresLimits = std::map<std::string, double>;

struct SlurmLimits {
  std::optional<int> grp_jobs, grp_submit, max_jobs, max_submit, max_wall;  // max_wall: minutes
  std::optional<int> max_jobs_per_account, max_submit_per_account;          // of a QOS
  TresLimits grp_tres, max_tres_per_job, max_tres_per_node, max_tres_per_user, max_tres_per_account;
  TresLimits min_tres_per_job;
};

struct SlurmQos {
  std::string name;
  double priority = 0;
  std::vector<std::string> preempt;         // names of those whose jobs it may preempt
  bool within = false;                      // preempts within itself too, by job priority
  std::optional<PreemptMode> preempt_mode;  // none: the cluster's
  int grace = 0;
  std::optional<int> preempt_exempt;
  bool no_reserve = false, no_decay = false, part_time_limit = false, part_max_node = false;
  double usage_factor = 1;
  std::optional<double> min_prio_threshold;
  SlurmLimits limits;
};

struct SlurmAssociation {
  std::string account, user;  // no user: the account itself
  std::string partition;      // of a user; usually empty
  int parent = -1;
  double shares = 1;
  bool shares_of_parent = false;
  std::vector<std::string> qos;  // what its jobs may use; empty: its parent's, in the end "normal"
  std::string default_qos;
  double priority = 0;
  SlurmLimits limits;
};

struct SlurmAccounting {
  std::vector<SlurmQos> qos;                            // never empty when the site keeps accounts
  std::vector<SlurmAssociation> associations;           // [0] is the root
  std::map<std::string, std::string> default_accounts;  // of a user

  int qos_index(const std::string& name) const;  // -1 if there is none
  int association_index(const std::string& account, const std::string& user) const;
};

}  // namespace trainyard::slurm
