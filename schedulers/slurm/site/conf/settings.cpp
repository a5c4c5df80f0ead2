#include "schedulers/slurm/site/conf/settings.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>

namespace trainyard::slurm {

namespace {

using Take = void (*)(SlurmParameters&, const ConfOption&);

bool has_word(const ConfOption& option, const char* word) {
  const std::vector<std::string> words = words_of(option);
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& each) { return same_key(each, word); });
}

// The plug-in's name after its kind: "topology/tree" is "tree".
std::string plugin(const ConfOption& option, const std::vector<std::string>& known) {
  const std::size_t slash = option.value.find('/');
  std::string name = slash == std::string::npos ? option.value : option.value.substr(slash + 1);
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw value_error(option, "is not modelled" + suggestion(name, known));
  return name;
}

void select_type(SlurmParameters& p, const ConfOption& option) {
  p.select_tres = plugin(option, {"cons_tres", "cons_res", "linear"}) != "linear";
}

void select_parameters(SlurmParameters& p, const ConfOption& option) {
  for (const std::string& word : words_of(option)) {
    p.memory |=
        word.find("Memory") != std::string::npos || word.find("MEMORY") != std::string::npos;
    p.sockets_only |= same_key(word, "CR_Socket") || same_key(word, "CR_Socket_Memory");
    p.lln |= same_key(word, "CR_LLN");
    p.scheduler.pack_serial_at_end |= same_key(word, "CR_Pack_Nodes");
  }
}

void topology_plugin(SlurmParameters& p, const ConfOption& option) {
  const std::string name = plugin(option, {"none", "default", "flat", "tree", "block"});
  constexpr SlurmVersion kBlocks{23, 11};
  if (name == "block" && p.version < kBlocks)
    throw value_error(option, "came with Slurm " + to_string(kBlocks) + "; slurm_version is " +
                                  to_string(p.version));
  p.topology_tree = name == "tree";
  p.topology_block = name == "block";
}

void topology_parameters(SlurmParameters& p, const ConfOption& option) {
  p.topology_optional = has_word(option, "TopoOptional");
  p.dragonfly = has_word(option, "Dragonfly");
}

void preempt_type(SlurmParameters& p, const ConfOption& option) {
  const std::string name = plugin(option, {"none", "partition_prio", "qos"});
  p.preempt = name == "none"  ? PreemptType::None
              : name == "qos" ? PreemptType::Qos
                              : PreemptType::PartitionPriority;
}

void preempt_mode(SlurmParameters& p, const ConfOption& option) {
  p.preempt_mode = preempt_mode_of(option, &p.gang);
}

void accounting_enforce(SlurmParameters& p, const ConfOption& option) {
  const bool all = has_word(option, "all");
  p.enforce_limits = all || has_word(option, "limits") || has_word(option, "safe");
  p.enforce_qos = all || has_word(option, "qos");
  p.enforce_associations = p.enforce_limits || p.enforce_qos || has_word(option, "associations");
}

void auth_info(SlurmParameters& p, const ConfOption& option) {
  const std::string key = "cred_expire=";
  for (const std::string& word : words_of(option))
    if (word.rfind(key, 0) == 0)
      p.cred_expire = static_cast<int>(parse_integer(word.substr(key.size())).value_or(120));
}

void priority_flags(SlurmParameters& p, const ConfOption& option) {
  for (const std::string& word : words_of(option)) {
    p.priority.accrue_always |= same_key(word, "ACCRUE_ALWAYS");
    p.priority.small_relative_to_time |= same_key(word, "SMALL_RELATIVE_TO_TIME");
    p.priority.max_tres |= same_key(word, "MAX_TRES");
    p.priority.increase_only |= same_key(word, "INCR_ONLY");
    p.priority.raw_partition |= same_key(word, "NO_NORMAL_PART");
    p.priority.raw_qos |= same_key(word, "NO_NORMAL_QOS");
    if (same_key(word, "NO_FAIR_TREE")) p.priority.fair_tree = false;
  }
}

void priority_tres(SlurmParameters& p, const ConfOption& option) {
  for (const std::string& word : words_of(option)) {
    const std::size_t equals = word.find('=');
    const auto weight =
        equals == std::string::npos ? std::nullopt : parse_double(word.substr(equals + 1));
    if (!weight) throw value_error(option, "must be TRES=weight, ...");
    std::string name = word.substr(0, equals);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    p.priority.tres[name] = *weight;
  }
}

struct Setting {
  const char* key;
  Take take;
};

const Setting kSettings[] = {
    {"SchedulerType",
     [](auto& p, auto& o) {
       p.backfill = plugin(o, {"backfill", "builtin"}) == "backfill";
     }},
    {"SelectType", select_type},
    {"SelectTypeParameters", select_parameters},
    {"TopologyPlugin", topology_plugin},
    {"TopologyParam", topology_parameters},
    {"PreemptType", preempt_type},
    {"PreemptMode", preempt_mode},
    {"PreemptExemptTime", [](auto& p, auto& o) { p.preempt_exempt = seconds_of(o); }},
    {"AccountingStorageEnforce", accounting_enforce},
    {"AccountingStorageType",
     [](auto& p, auto& o) { p.accounting = o.value.find("slurmdbd") != std::string::npos; }},
    {"AuthInfo", auth_info},
    {"JobRequeue", [](auto& p, auto& o) { p.job_requeue = yes_of(o); }},
    {"KillWait", [](auto& p, auto& o) { p.kill_wait = int_of(o); }},
    {"OverTimeLimit", [](auto& p, auto& o) { p.over_time_limit = count_or_unlimited(o); }},
    {"MessageTimeout", [](auto& p, auto& o) { p.message_timeout = int_of(o); }},
    {"SlurmdTimeout", [](auto& p, auto& o) { p.slurmd_timeout = int_of(o); }},
    {"ReturnToService", [](auto& p, auto& o) { p.return_to_service = int_of(o); }},
    {"SchedulerTimeSlice", [](auto& p, auto& o) { p.time_slice = int_of(o); }},
    {"PriorityType",
     [](auto& p, auto& o) {
       p.priority.multifactor = plugin(o, {"basic", "multifactor"}) == "multifactor";
     }},
    {"PriorityWeightAge", [](auto& p, auto& o) { p.priority.age = double_of(o); }},
    {"PriorityWeightAssoc", [](auto& p, auto& o) { p.priority.association = double_of(o); }},
    {"PriorityWeightFairshare", [](auto& p, auto& o) { p.priority.fairshare = double_of(o); }},
    {"PriorityWeightJobSize", [](auto& p, auto& o) { p.priority.job_size = double_of(o); }},
    {"PriorityWeightPartition", [](auto& p, auto& o) { p.priority.partition = double_of(o); }},
    {"PriorityWeightQOS", [](auto& p, auto& o) { p.priority.qos = double_of(o); }},
    {"PriorityWeightTRES", priority_tres},
    {"PriorityMaxAge", [](auto& p, auto& o) { p.priority.max_age = seconds_of(o); }},
    {"PriorityDecayHalfLife", [](auto& p, auto& o) { p.priority.decay_half_life = seconds_of(o); }},
    {"PriorityCalcPeriod", [](auto& p, auto& o) { p.priority.calc_period = seconds_of(o); }},
    {"PriorityFavorSmall", [](auto& p, auto& o) { p.priority.favor_small = yes_of(o); }},
    {"PriorityFlags", priority_flags},
};

}  // namespace

PreemptMode preempt_mode_of(const ConfOption& option, bool* gang) {
  PreemptMode mode = PreemptMode::Off;
  for (const std::string& word : words_of(option)) {
    if (same_key(word, "GANG")) {
      if (gang) *gang = true;
    } else if (same_key(word, "REQUEUE")) {
      mode = PreemptMode::Requeue;
    } else if (same_key(word, "CANCEL")) {
      mode = PreemptMode::Cancel;
    } else if (same_key(word, "SUSPEND")) {
      mode = PreemptMode::Suspend;
    } else if (!same_key(word, "OFF") && !same_key(word, "WITHIN") && !same_key(word, "PRIORITY")) {
      throw value_error(option, "must be OFF, CANCEL, REQUEUE, SUSPEND or GANG");
    }
  }
  return mode;
}

bool take_setting(SlurmSite& site, const ConfOption& option) {
  if (same_key(option.key, "ClusterName")) return site.cluster = option.value, true;
  if (same_key(option.key, "GresTypes")) return true;  // what gres.conf and the nodes say counts
  if (same_key(option.key, "SchedulerParameters"))
    return take_scheduler_parameters(site, option), true;
  if (same_key(option.key, "SlurmctldParameters"))
    return take_slurmctld_parameters(site, option), true;
  if (same_key(option.key, "PreemptParameters")) return take_preempt_parameters(site, option), true;
  if (same_key(option.key, "PriorityUsageResetPeriod")) {
    if (!same_key(option.value, "NONE") && !same_key(option.value, "NOW"))
      site.warnings.push_back(option.key + ": usage is never reset here");
    return true;
  }
  for (const Setting& setting : kSettings)
    if (same_key(setting.key, option.key)) return setting.take(site.parameters, option), true;
  return false;
}

void append_setting_keys(std::vector<std::string>& names) {
  for (const Setting& setting : kSettings) names.emplace_back(setting.key);
  for (const char* key :
       {"ClusterName", "GresTypes", "SchedulerParameters", "SlurmctldParameters",
        "PreemptParameters", "PriorityUsageResetPeriod", "NodeName", "PartitionName", "DownNodes"})
    names.emplace_back(key);
}

}  // namespace trainyard::slurm
