#include "schedulers/slurm/site/conf/known_keys.hpp"

#include "schedulers/slurm/site/conf/conf_lines.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

constexpr UnmodelledKey kUnmodelled[] = {
    {"BatchStartTimeout", "when a batch job that never reports is requeued"},
    {"BurstBufferType", "jobs would wait for stage-in"},
    {"CompleteWait", "passes would wait for completing jobs"},
    {"DefCPUPerGPU", "CPUs of jobs that ask for GPUs only"},
    {"DefMemPerCPU", "memory of jobs that ask for none"},
    {"DefMemPerGPU", "memory of jobs that ask for none"},
    {"DefMemPerNode", "memory of jobs that ask for none"},
    {"EnforcePartLimits", "jobs beyond a partition's limits would be refused at submission"},
    {"FairShareDampeningFactor", "the classic fair share; fair tree ignores it"},
    {"FederationParameters", "jobs of sibling clusters"},
    {"HealthCheckInterval", "nodes drained by the health check"},
    {"InactiveLimit", "idle interactive jobs would be ended"},
    {"JobSubmitPlugins", "jobs would be changed or refused at submission"},
    {"Licenses", "jobs would wait for licenses"},
    {"MaxJobCount", "submissions beyond it would be refused"},
    {"MaxArraySize", "larger arrays would be refused"},
    {"MaxMemPerCPU", "more CPUs for jobs with much memory a CPU"},
    {"MaxMemPerNode", "jobs with more memory would be refused"},
    {"MCSPlugin", "nodes kept to one security label"},
    {"NodeFeaturesPlugins", "nodes rebooted into other features"},
    {"PriorityParameters", "nothing in multifactor"},
    {"PrioritySiteFactorPlugin", "the site's own term of the priority"},
    {"RequeueExit", "jobs with these exit codes would be requeued"},
    {"RequeueExitHold", "jobs with these exit codes would be requeued and held"},
    {"ResvOverRun", "how long jobs may outlive their reservation"},
    {"ResumeProgram", "nodes powered up on demand"},
    {"SuspendProgram", "idle nodes powered down"},
    {"SuspendTime", "idle nodes powered down"},
    {"TrackWCKey", "usage by workload key"},
    {"UnkillableStepTimeout", "nodes drained after processes that cannot be killed"},
    {"FrontendName", "nodes behind a front end"},
    {"AllowSpecResourcesUsage", "cores set aside for the system"},
    {"MaxBatchRequeue", "jobs would be held after so many requeues"},
    {"GpuFreqDef", "the GPUs' clock"},
    {"CpuFreqDef", "the CPUs' clock"},
    {"DependencyParameters", "dependencies that can never be met would end their job"},
};

// clang-format off
constexpr const char* kNoBearing[] = {
    "AccountingStorageBackupHost", "AccountingStorageExternalHost", "AccountingStorageHost",
    "AccountingStorageLoc", "AccountingStorageParameters", "AccountingStoragePass",
    "AccountingStoragePort", "AccountingStorageTRES", "AccountingStorageUser",
    "AccountingStoreFlags", "AccountingStoreJobComment", "AcctGatherEnergyType",
    "AcctGatherFilesystemType", "AcctGatherInfinibandType", "AcctGatherInterconnectType",
    "AcctGatherNodeFreq", "AcctGatherProfileType", "AuthAltParameters", "AuthAltTypes",
    "AuthType", "BackupAddr", "BackupController", "BcastExclude", "BcastParameters",
    "BurstBufferParameters", "CertgenParameters", "CertgenType", "CertmgrParameters",
    "CertmgrType", "CliFilterParameters", "CliFilterPlugins", "CommunicationParameters",
    "ControlAddr", "ControlMachine", "CoreSpecPlugin", "CpuFreqGovernors", "CredType",
    "CryptoType", "DataParserParameters", "DebugFlags", "DefRuntimePlugin", "DisableRootJobs",
    "EioTimeout", "Epilog", "EpilogMsgTime", "EpilogSlurmctld", "EpilogTimeout",
    "ExtSensorsFreq", "ExtSensorsType", "FastSchedule", "FirstJobId", "GetEnvTimeout",
    "GroupUpdateForce", "GroupUpdateTime", "HashPlugin", "HealthCheckNodeState",
    "HealthCheckProgram", "HealthCheckTimeout", "HttpParserType", "InteractiveStepOptions",
    "JobAcctGatherFrequency", "JobAcctGatherParams", "JobAcctGatherType", "JobCompHost",
    "JobCompLoc", "JobCompParams", "JobCompPass", "JobCompPassScript", "JobCompPort",
    "JobCompType", "JobCompUser", "JobContainerType", "JobCredentialPrivateKey",
    "JobCredentialPublicCertificate", "JobFileAppend", "KeepAliveTime", "KillOnBadExit",
    "LaunchParameters", "LaunchType", "LicenseParameters", "LogTimeFormat", "MailDomain",
    "MailProg", "MaxDBDMsgs", "MaxJobId", "MaxNodeCount", "MaxStepCount", "MaxTasksPerNode",
    "MCSParameters", "MetricsAuthUsers", "MetricsParameters", "MetricsType", "MinJobAge",
    "MpiDefault", "MpiParams", "NamespaceType", "PluginDir", "PlugStackConfig",
    "PowerParameters", "PowerPlugin", "PrEpParameters", "PrEpPlugins",
    "PrioritySiteFactorParameters", "PrivateData", "ProctrackType", "Prolog",
    "PrologEpilogTimeout", "PrologFlags", "PrologSlurmctld", "PrologTimeout",
    "PropagatePrioProcess", "PropagateResourceLimits", "PropagateResourceLimitsExcept",
    "RebootProgram", "ReconfigFlags", "ResumeFailProgram", "ResumeRate", "ResumeTimeout",
    "ResvEpilog", "ResvProlog", "RoutePlugin", "SallocDefaultCommand", "SbcastParameters",
    "SchedulerAuth", "ScronParameters", "SerializerParameters", "SerializerPlugins",
    "SlurmctldAddr", "SlurmctldDebug", "SlurmctldHost", "SlurmctldHttpAuthParameters",
    "SlurmctldLogFile", "SlurmctldPidFile", "SlurmctldPlugstack",
    "SlurmctldPort", "SlurmctldPrimaryOffProg", "SlurmctldPrimaryOnProg",
    "SlurmctldSyslogDebug", "SlurmctldTimeout", "SlurmdDebug", "SlurmdHttpAuthParameters",
    "SlurmdLogFile", "SlurmdParameters", "SlurmdPidFile", "SlurmdPort", "SlurmdSpoolDir",
    "SlurmdSyslogDebug", "SlurmdUser", "SlurmrestdHttpAuthParameters", "SlurmrestdParameters",
    "SlurmSchedLogFile", "SlurmSchedLogLevel", "SlurmstepdParameters", "SlurmUser",
    "SrunEpilog", "SrunPortRange", "SrunProlog", "StateSaveLocation", "SuspendExcNodes",
    "SuspendExcParts", "SuspendExcStates", "SuspendRate", "SuspendTimeout",
    "SwitchParameters", "SwitchType", "TaskEpilog", "TaskPlugin", "TaskPluginParam",
    "TaskProlog", "TCPTimeout", "TLSParameters", "TLSType", "TmpFS", "TreeWidth",
    "UnkillableStepProgram", "UrlParserType", "UsePAM", "VSizeFactor", "WaitTime",
    "X11Parameters"};
// clang-format on

struct NewerKey {
  const char* key;
  SlurmVersion since;
};

constexpr NewerKey kNewer[] = {{"PreemptParameters", {23, 2}}, {"MaxBatchRequeue", {23, 2}},
                               {"HashPlugin", {24, 5}},        {"TLSType", {24, 5}},
                               {"MetricsType", {25, 11}},      {"NamespaceType", {25, 11}}};

}  // namespace

const UnmodelledKey* unmodelled_key(const std::string& key) {
  for (const UnmodelledKey& row : kUnmodelled)
    if (same_key(row.key, key)) return &row;
  return nullptr;
}

bool has_no_bearing(const std::string& key) {
  return std::any_of(std::begin(kNoBearing), std::end(kNoBearing),
                     [&](const char* name) { return same_key(name, key); });
}

SlurmVersion known_since(const std::string& key) {
  for (const NewerKey& row : kNewer)
    if (same_key(row.key, key)) return row.since;
  return kSlurm2205;
}

void append_known_keys(std::vector<std::string>& names) {
  for (const UnmodelledKey& row : kUnmodelled) names.emplace_back(row.key);
  names.insert(names.end(), std::begin(kNoBearing), std::end(kNoBearing));
}

}  // namespace trainyard::slurm
