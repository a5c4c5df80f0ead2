#include "schedulers/slurm/site/accounting_option.hpp"

#include "base/text.hpp"
#include "schedulers/slurm/site/conf/settings.hpp"
#include "schedulers/slurm/site/duration.hpp"

#include <cctype>

namespace trainyard::slurm {

namespace {

InputError error(const AccountingOption& option, const std::string& problem) {
  return {option.place, option.key, problem + ", got '" + printable(option.value) + "'"};
}

ConfOption as_conf(const AccountingOption& option) {
  return {option.key, option.value, option.place, option.place};
}

// -1 takes a limit away.
std::optional<int> limit(const AccountingOption& option) {
  const auto value = parse_integer(option.value);
  if (!value || *value < -1 || *value > 0x7fffffff) throw error(option, "must be a count or -1");
  return *value < 0 ? std::nullopt : std::optional<int>(static_cast<int>(*value));
}

void tres(TresLimits& limits, const AccountingOption& option) {
  for (const std::string& word : split(option.value, ',')) {
    const std::size_t equals = word.find('=');
    const auto value =
        equals == std::string::npos ? std::nullopt : parse_double(word.substr(equals + 1));
    if (!value) throw error(option, "must be TRES=limit, ...");
    std::string name = word.substr(0, equals);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (*value < 0)
      limits.erase(name);
    else
      limits[name] = *value;
  }
}

struct TresKey {
  const char* key;
  TresLimits SlurmLimits::*member;
};

constexpr TresKey kTresKeys[] = {
    {"GrpTRES", &SlurmLimits::grp_tres},
    {"MaxTRES", &SlurmLimits::max_tres_per_job},
    {"MaxTRESPerJob", &SlurmLimits::max_tres_per_job},
    {"MaxTRESPJ", &SlurmLimits::max_tres_per_job},
    {"MaxTRESPerNode", &SlurmLimits::max_tres_per_node},
    {"MaxTRESPN", &SlurmLimits::max_tres_per_node},
    {"MaxTRESPerUser", &SlurmLimits::max_tres_per_user},
    {"MaxTRESPU", &SlurmLimits::max_tres_per_user},
    {"MaxTRESPerAccount", &SlurmLimits::max_tres_per_account},
    {"MaxTRESPA", &SlurmLimits::max_tres_per_account},
    {"MinTRESPerJob", &SlurmLimits::min_tres_per_job},
};

struct CountKey {
  const char* key;
  std::optional<int> SlurmLimits::*member;
};

constexpr CountKey kCountKeys[] = {
    {"GrpJobs", &SlurmLimits::grp_jobs},
    {"GrpSubmitJobs", &SlurmLimits::grp_submit},
    {"GrpSubmit", &SlurmLimits::grp_submit},
    {"MaxJobs", &SlurmLimits::max_jobs},
    {"MaxJobsPerUser", &SlurmLimits::max_jobs},
    {"MaxJobsPU", &SlurmLimits::max_jobs},
    {"MaxSubmitJobs", &SlurmLimits::max_submit},
    {"MaxSubmitJobsPerUser", &SlurmLimits::max_submit},
    {"MaxSubmitPU", &SlurmLimits::max_submit},
    {"MaxJobsPerAccount", &SlurmLimits::max_jobs_per_account},
    {"MaxJobsPA", &SlurmLimits::max_jobs_per_account},
    {"MaxSubmitJobsPerAccount", &SlurmLimits::max_submit_per_account},
};

bool take_limit(SlurmLimits& limits, const AccountingOption& option) {
  for (const TresKey& row : kTresKeys)
    if (same_key(row.key, option.key)) return tres(limits.*row.member, option), true;
  for (const CountKey& row : kCountKeys)
    if (same_key(row.key, option.key)) return limits.*row.member = limit(option), true;
  if (same_key(option.key, "MaxWall") || same_key(option.key, "MaxWallDurationPerJob")) {
    const auto seconds = parse_duration(option.value);
    if (!seconds) throw error(option, "must be a time");
    limits.max_wall = static_cast<int>((*seconds + 59) / 60);
    return true;
  }
  return false;
}

std::vector<std::string> names(const AccountingOption& option) {
  std::vector<std::string> found;
  for (const std::string& word : split(option.value, ','))
    if (!word.empty()) found.push_back(word[0] == '+' ? word.substr(1) : word);
  return found;
}

double number(const AccountingOption& option) {
  const auto value = parse_double(option.value);
  if (!value) throw error(option, "must be a number");
  return *value;
}

void take_qos_flags(SlurmQos& qos, const AccountingOption& option) {
  for (const std::string& flag : names(option)) {
    qos.no_reserve |= same_key(flag, "NoReserve");
    qos.no_decay |= same_key(flag, "NoDecay");
    qos.part_time_limit |= same_key(flag, "PartitionTimeLimit");
    qos.part_max_node |= same_key(flag, "PartitionMaxNodes");
  }
}

[[noreturn]] void unknown(const AccountingOption& option, std::vector<std::string> known) {
  for (const TresKey& row : kTresKeys) known.emplace_back(row.key);
  for (const CountKey& row : kCountKeys) known.emplace_back(row.key);
  const std::string near = near_match(option.key, known);
  throw InputError(option.place, "",
                   "unknown key '" + printable(option.key) + "'" +
                       (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

}  // namespace

void take_qos_option(SlurmQos& qos, const AccountingOption& option) {
  const auto is = [&](const char* key) { return same_key(option.key, key); };
  if (take_limit(qos.limits, option)) return;
  if (is("priority")) {
    qos.priority = number(option);
  } else if (is("preempt")) {
    qos.preempt = names(option);
  } else if (is("preemptmode")) {
    qos.within = option.value.find("ithin") != std::string::npos;
    qos.preempt_mode = preempt_mode_of(as_conf(option), nullptr);
    if (same_key(option.value, "cluster") || qos.within) qos.preempt_mode.reset();
  } else if (is("gracetime")) {
    qos.grace = static_cast<int>(number(option));
  } else if (is("preemptexempttime")) {
    qos.preempt_exempt = seconds_of(as_conf(option));
  } else if (is("usagefactor")) {
    qos.usage_factor = number(option);
  } else if (is("minpriothreshold") || is("minpriothresh")) {
    qos.min_prio_threshold = number(option);
  } else if (is("flags")) {
    take_qos_flags(qos, option);
  } else if (!is("description")) {
    unknown(option, {"priority", "preempt", "preemptmode", "gracetime", "preemptexempttime",
                     "usagefactor", "minpriothreshold", "flags", "description"});
  }
}

void take_association_option(SlurmAssociation& association, const AccountingOption& option) {
  const auto is = [&](const char* key) { return same_key(option.key, key); };
  if (take_limit(association.limits, option)) return;
  if (is("share") || is("fairshare") || is("shares")) {
    association.shares_of_parent = same_key(option.value, "parent");
    association.shares = association.shares_of_parent ? 1 : number(option);
  } else if (is("qos") || is("qoslevel")) {
    association.qos = names(option);
  } else if (is("defaultqos") || is("defqos")) {
    association.default_qos = option.value;
  } else if (is("priority")) {
    association.priority = number(option);
  } else if (is("partition")) {
    association.partition = option.value;
  } else if (!is("cluster") && !is("description") && !is("organization") && !is("adminlevel") &&
             !is("defaultaccount")) {
    unknown(option, {"share", "fairshare", "qos", "defaultqos", "priority", "partition", "account",
                     "parent", "cluster"});
  }
}

}  // namespace trainyard::slurm
