// The cluster-wide settings that decide: priorities, selection, preemption, both schedulers, life
// cycle. Defaults are those of Slurm 22.05.
#pragma once

#include "schedulers/slurm/site/preempt_mode.hpp"
#include "schedulers/slurm/site/version.hpp"

#include <map>
#include <string>

namespace trainyard::slurm {

// SchedulerParameters; times in seconds unless they say otherwise.
struct SchedulerSettings {
  int bf_interval = 30, bf_max_time = 0;  // 0: as long as bf_interval
  int bf_window = 1440;                   // minutes
  int bf_resolution = 60;
  int bf_max_job_test = 500;
  int bf_node_space_size = 0;  // 0: bf_max_job_test
  bool bf_continue = false, bf_busy_nodes = false, bf_one_resv_per_job = false;
  bool bf_running_job_reserve = false;
  int bf_max_job_user = 0, bf_max_job_part = 0, bf_max_job_assoc = 0, bf_max_job_user_part = 0;
  int bf_max_job_start = 0, bf_max_job_array_resv = 20;
  int bf_min_age_reserve = 0, bf_job_part_count_reserve = 0, bf_window_linear = 0;
  double bf_min_prio_reserve = 0;
  int batch_sched_delay = 3, sched_interval = 60;
  int default_queue_depth = 100, partition_job_depth = 0, sched_max_job_start = 0;
  bool defer = false, assoc_limit_stop = false, pack_serial_at_end = false;
  bool preempt_youngest_first = false, preempt_strict_order = false;
  bool preempt_send_user_signal = false;  // --signal, when the grace time begins
  int preempt_reorder_count = 1;
  int max_switch_wait = 300;
};

struct PrioritySettings {
  bool multifactor = false;  // otherwise priority/basic
  double age = 0, association = 0, fairshare = 0, job_size = 0, partition = 0, qos = 0;
  std::map<std::string, double> tres;
  int max_age = 7 * 24 * 3600;
  int decay_half_life = 7 * 24 * 3600;  // 0: usage never decays
  int calc_period = 300;
  bool favor_small = false, fair_tree = true, accrue_always = false, small_relative_to_time = false;
  bool max_tres = false, increase_only = false;
  bool raw_partition = false, raw_qos = false;  // NO_NORMAL_PART, NO_NORMAL_QOS
};

struct SlurmParameters {
  SlurmVersion version;
  bool backfill = true;       // sched/builtin: false
  bool select_tres = false;   // select/cons_tres or cons_res; otherwise whole nodes
  bool sockets_only = false;  // CR_Socket*
  bool memory = false, lln = false;
  bool topology_tree = false, topology_block = false;
  bool topology_optional = false, dragonfly = false;
  PreemptType preempt = PreemptType::None;
  PreemptMode preempt_mode = PreemptMode::Off;
  bool gang = false;
  int preempt_exempt = 0;
  int time_slice = 30;
  int kill_wait = 30, over_time_limit = 0, complete_wait = 0, message_timeout = 10;
  int slurmd_timeout = 300, return_to_service = 0, cred_expire = 120;
  bool job_requeue = true;
  bool enforce_limits = false, enforce_qos = false, enforce_associations = false;
  bool accounting = false;  // slurmdbd
  SchedulerSettings scheduler;
  PrioritySettings priority;
};

}  // namespace trainyard::slurm
