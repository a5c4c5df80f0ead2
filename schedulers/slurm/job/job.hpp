// A submission as Slurm's controller sees it, and what the cluster will do with it.
//
// Times are seconds from the start of the run; the true run time is known to whoever plays the
// cluster, never to a scheduler.
#pragma once

#include "schedulers/slurm/select/request.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <optional>
#include <string>
#include <vector>

namespace trainyard::slurm {

enum class DependencyType { After, AfterAny, AfterOk, AfterNotOk, AfterCorresponding, Singleton };

struct Dependency {
  DependencyType type = DependencyType::AfterAny;
  std::string on;         // the id of another submission; of a Singleton: ""
  int minutes_after = 0;  // after:job+minutes
};

// --signal: sent before the limit is reached. Limits are looked at every 30 s, so up to half a
// minute earlier than asked for.
struct WarningSignal {
  std::string name;  // "USR1", "10"
  int seconds = 60;  // before the end
  bool to_batch_script = false;
};

struct SlurmJob {
  std::string id;  // the user's; of an array without the task
  double submitted = 0;
  std::string user, account, qos, job_name;  // "": the defaults
  std::vector<int> partitions;               // never empty; as asked, in this order
  Request request;
  std::optional<int> time_limit;  // minutes; none: the partition's
  int time_min = 0;
  double nice = 0;
  std::optional<bool> requeue;
  bool hold = false, batch = true, no_kill = false;
  double begin = 0;  // not before
  std::vector<Dependency> dependencies;
  bool any_dependency = false;     // '?' between them: one is enough
  std::vector<int> array;          // task ids; empty: no array
  int array_at_once = 0;           // %n; 0: no limit
  std::optional<int> switch_wait;  // seconds, of --switches
  std::string reservation;
  std::optional<WarningSignal> signal;
  double run_time = 0;
  int exit_code = 0;
  bool ignores_sigterm = false;

  bool operator_submits() const { return user == "root"; }
};

// Where the site shares no nodes, by select/linear or by OverSubscribe=EXCLUSIVE of a partition
// that the job names, it takes whole ones.
inline void share_as_the_site_does(const SlurmSite& site, SlurmJob& job) {
  job.request.exclusive |= !site.parameters.select_tres;
  for (const int partition : job.partitions)
    job.request.exclusive |= site.partitions[static_cast<std::size_t>(partition)].exclusive;
}

}  // namespace trainyard::slurm
