// SchedulerParameters: one table of its words.

#include "base/text.hpp"
#include "schedulers/slurm/site/conf/settings.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

struct NumberWord {
  const char* word;
  int SchedulerSettings::*member;
};

struct FlagWord {
  const char* word;
  bool SchedulerSettings::*member;
};

using S = SchedulerSettings;

constexpr NumberWord kNumbers[] = {
    {"bf_interval", &S::bf_interval},
    {"bf_max_time", &S::bf_max_time},
    {"bf_window", &S::bf_window},
    {"bf_resolution", &S::bf_resolution},
    {"bf_max_job_test", &S::bf_max_job_test},
    {"bf_node_space_size", &S::bf_node_space_size},
    {"bf_max_job_user", &S::bf_max_job_user},
    {"bf_max_job_part", &S::bf_max_job_part},
    {"bf_max_job_assoc", &S::bf_max_job_assoc},
    {"bf_max_job_user_part", &S::bf_max_job_user_part},
    {"bf_max_job_start", &S::bf_max_job_start},
    {"bf_max_job_array_resv", &S::bf_max_job_array_resv},
    {"bf_min_age_reserve", &S::bf_min_age_reserve},
    {"bf_job_part_count_reserve", &S::bf_job_part_count_reserve},
    {"bf_window_linear", &S::bf_window_linear},
    {"batch_sched_delay", &S::batch_sched_delay},
    {"sched_interval", &S::sched_interval},
    {"default_queue_depth", &S::default_queue_depth},
    {"partition_job_depth", &S::partition_job_depth},
    {"sched_max_job_start", &S::sched_max_job_start},
    {"preempt_reorder_count", &S::preempt_reorder_count},
    {"max_switch_wait", &S::max_switch_wait},
};

constexpr FlagWord kFlags[] = {
    {"bf_continue", &S::bf_continue},
    {"bf_busy_nodes", &S::bf_busy_nodes},
    {"bf_one_resv_per_job", &S::bf_one_resv_per_job},
    {"bf_running_job_reserve", &S::bf_running_job_reserve},
    {"defer", &S::defer},
    {"assoc_limit_stop", &S::assoc_limit_stop},
    {"pack_serial_at_end", &S::pack_serial_at_end},
    {"preempt_youngest_first", &S::preempt_youngest_first},
    {"preempt_strict_order", &S::preempt_strict_order},
};

// Known to Slurm, of no effect where a pass takes no time.
constexpr const char* kCosts[] = {"bf_yield_interval",   "bf_yield_sleep",  "max_sched_time",
                                  "sched_min_interval",  "max_rpc_cnt",     "max_rpc_count",
                                  "build_queue_timeout", "bf_yield_rpc_cnt"};

template <class Table>
auto find_word(const Table& table, const std::string& word) {
  return std::find_if(std::begin(table), std::end(table),
                      [&](const auto& row) { return same_key(row.word, word); });
}

void take_word(SlurmSite& site, const ConfOption& option, const std::string& text) {
  SchedulerSettings& settings = site.parameters.scheduler;
  const std::size_t equals = text.find('=');
  const std::string word = text.substr(0, equals);
  if (const auto flag = find_word(kFlags, word); flag != std::end(kFlags)) {
    settings.*flag->member = true;
    return;
  }
  const auto number = find_word(kNumbers, word);
  const bool priority = same_key(word, "bf_min_prio_reserve");
  if (number == std::end(kNumbers) && !priority) {
    const bool cost = std::any_of(std::begin(kCosts), std::end(kCosts),
                                  [&](const char* name) { return same_key(name, word); });
    if (!cost)
      site.warnings.push_back("SchedulerParameters: '" + printable(word) + "' is not modelled");
    return;
  }
  const auto value =
      equals == std::string::npos ? std::nullopt : parse_integer(text.substr(equals + 1));
  if (!value || *value < -1)
    throw InputError(option.value_place, option.key, "'" + word + "' needs a number");
  if (priority)
    settings.bf_min_prio_reserve = static_cast<double>(*value);
  else
    settings.*number->member = static_cast<int>(std::min<std::int64_t>(*value, kNoLimit));
}

}  // namespace

void take_scheduler_parameters(SlurmSite& site, const ConfOption& option) {
  for (const std::string& word : words_of(option)) take_word(site, option, word);
}

void take_slurmctld_parameters(SlurmSite& site, const ConfOption& option) {
  for (const std::string& word : words_of(option))
    site.parameters.scheduler.preempt_send_user_signal |=
        same_key(word, "preempt_send_user_signal");
}

void take_preempt_parameters(SlurmSite& site, const ConfOption& option) {
  SchedulerSettings& settings = site.parameters.scheduler;
  for (const std::string& word : words_of(option)) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (same_key(name, "youngest_first"))
      settings.preempt_youngest_first = true;
    else if (same_key(name, "strict_order"))
      settings.preempt_strict_order = true;
    else if (same_key(name, "send_user_signal"))
      settings.preempt_send_user_signal = true;
    else if (same_key(name, "reorder_count"))
      take_word(site, option, "preempt_" + word);
    else
      site.warnings.push_back("PreemptParameters: '" + printable(word) + "' is not modelled");
  }
}

}  // namespace trainyard::slurm
