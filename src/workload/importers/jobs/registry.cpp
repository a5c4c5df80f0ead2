#include "workload/importers/jobs/registry.hpp"

#include "workload/importers/jobs/csv_formats.hpp"
#include "workload/importers/jobs/gavel.hpp"
#include "workload/importers/jobs/sacct.hpp"
#include "workload/importers/jobs/sbatch.hpp"
#include "workload/importers/jobs/swf.hpp"

namespace trainyard {

namespace {

constexpr CsvJobFormat kElasticFlow = {
    "job_id,submit_time,real_iteration,model_name,ddl,batch_size,num_gpu,real_duration,duration,"
    "iteration",
    TimeColumns::InSeconds,
    "job_id",
    "submit_time",
    "duration",
    nullptr,
    nullptr,
    "num_gpu",
    nullptr,
    nullptr,
    nullptr,
    "model_name"};

constexpr CsvJobFormat kMuri = {
    "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,iteration_time,"
    "resource_time_0,resource_time_1,resource_time_2,priority",
    TimeColumns::InMilliseconds,
    "job_id",
    "submit_time",
    "duration",
    nullptr,
    nullptr,
    "num_gpu",
    nullptr,
    nullptr,
    "priority",
    "model_name"};

constexpr CsvJobFormat kTiresias = {
    "job_id,num_gpu,submit_time,iterations,model_name,duration,interval",
    TimeColumns::InSeconds,
    "job_id",
    "submit_time",
    "duration",
    nullptr,
    nullptr,
    "num_gpu",
    nullptr,
    nullptr,
    nullptr,
    "model_name"};

constexpr CsvJobFormat kPollux = {"name,time,application,num_replicas,batch_size",
                                  TimeColumns::InSeconds,
                                  "name",
                                  "time",
                                  nullptr,
                                  nullptr,
                                  nullptr,
                                  "num_replicas",
                                  nullptr,
                                  nullptr,
                                  nullptr,
                                  "application"};

constexpr CsvJobFormat kHelios = {
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue",
    TimeColumns::AsDates,
    "job_id",
    "submit_time",
    nullptr,
    "start_time",
    "end_time",
    "gpu_num",
    nullptr,
    "user",
    "vc",
    nullptr};

constexpr CsvJobFormat kSeren = {
    "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
    "queue,gpu_time",
    TimeColumns::AsDates,
    "job_id",
    "submit_time",
    nullptr,
    "start_time",
    "end_time",
    "gpu_num",
    nullptr,
    "user",
    "type",
    nullptr};

constexpr CsvJobFormat kKalos = {
    "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time,"
    "start_time,end_time,fail_time,stop_time,duration,queue,gpu_time",
    TimeColumns::AsDates,
    "job_id",
    "submit_time",
    nullptr,
    "start_time",
    "end_time",
    "gpu_num",
    nullptr,
    "user",
    "type",
    nullptr};

constexpr CsvJobFormat kAlibaba2023 = {
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time",
    TimeColumns::InSeconds,
    "name",
    "creation_time",
    nullptr,
    "scheduled_time",
    "deletion_time",
    "num_gpu",
    nullptr,
    nullptr,
    "qos",
    nullptr};

constexpr CsvJobFormat kAlibabaSpot = {
    "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,"
    "job_type",
    TimeColumns::InSeconds,
    "job_name",
    "submit_time",
    "duration",
    nullptr,
    nullptr,
    "gpu_request",
    "worker_num",
    "organization",
    "job_type",
    nullptr};

constexpr CsvJobFormat kRunTimes = {"runtime", TimeColumns::InSeconds,
                                    nullptr,   nullptr,
                                    "runtime", nullptr,
                                    nullptr,   nullptr,
                                    nullptr,   nullptr,
                                    nullptr,   nullptr};

template <const CsvJobFormat& format>
JobTrace read_csv(const std::string& file, const JobTraceOptions& options) {
  return read_csv_jobs(file, format, options);
}

}  // namespace

const std::vector<JobTraceFormat>& job_trace_formats() {
  static const std::vector<JobTraceFormat> formats = {
      {"swf", read_swf, TraceAsks::Processors, "Standard Workload Format 2.2"},
      {"sacct", read_sacct, TraceAsks::Columns,
       "what sacct --parsable2 printed; without a header, say its 'columns'"},
      {"sbatch", read_sbatch, TraceAsks::Nothing,
       "job scripts with #SBATCH lines: one, or a folder of them"},
      {"slurm-jobs", read_slurm_jobs, TraceAsks::Nothing,
       "a jobs.csv of submissions to Slurm: nodes, GPUs, times, dependencies, arrays"},
      {"gavel", read_gavel, TraceAsks::Throughputs, "Gavel's and Shockwave's .trace files"},
      {"elasticflow", read_csv<kElasticFlow>, TraceAsks::Nothing, "ElasticFlow's CSV"},
      {"muri", read_csv<kMuri>, TraceAsks::Nothing, "Muri's CSV; its times are milliseconds"},
      {"tiresias", read_csv<kTiresias>, TraceAsks::Nothing, "Tiresias' CSV"},
      {"pollux", read_csv<kPollux>, TraceAsks::RunTimes,
       "Pollux' and Sia's workloads, which do not say how long jobs run"},
      {"helios", read_csv<kHelios>, TraceAsks::Nothing, "SenseTime Helios' cluster_log.csv"},
      {"acme-seren", read_csv<kSeren>, TraceAsks::Nothing, "Acme's trace_seren.csv"},
      {"acme-kalos", read_csv<kKalos>, TraceAsks::Nothing, "Acme's trace_kalos.csv"},
      {"alibaba-2023", read_csv<kAlibaba2023>, TraceAsks::Nothing,
       "Alibaba's openb_pod_list; a part of a GPU counts as one"},
      {"alibaba-spot", read_csv<kAlibabaSpot>, TraceAsks::Nothing,
       "Alibaba's job_info_df.csv of 2026"},
      {"run-times", read_csv<kRunTimes>, TraceAsks::Nothing,
       "a list of run times (philly_runtime.csv): a GPU each, all there at the start"},
  };
  return formats;
}

}  // namespace trainyard
