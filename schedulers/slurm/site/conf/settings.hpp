// The modelled keys of slurm.conf that stand for the whole cluster.
#pragma once

#include "schedulers/slurm/site/conf/conf_lines.hpp"
#include "schedulers/slurm/site/site.hpp"

#include <string>
#include <vector>

namespace trainyard::slurm {

// Whether `option` is one of them; then it is in `site`.
bool take_setting(SlurmSite& site, const ConfOption& option);
void append_setting_keys(std::vector<std::string>& names);

// "bf_interval=30,bf_continue,...": what is unknown goes to the site's warnings, as Slurm itself
// ignores it.
void take_scheduler_parameters(SlurmSite& site, const ConfOption& option);

// "preempt_send_user_signal" is all that counts of SlurmctldParameters.
void take_slurmctld_parameters(SlurmSite& site, const ConfOption& option);
// What newer releases have in place of words of SchedulerParameters.
void take_preempt_parameters(SlurmSite& site, const ConfOption& option);

PreemptMode preempt_mode_of(const ConfOption& option, bool* gang);

}  // namespace trainyard::slurm
