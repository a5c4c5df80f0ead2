#include "rule_world.hpp"

#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "schedulers/slurm/controller/slurmctld.hpp"
#include "schedulers/slurm/golden/gpu_list.hpp"
#include "schedulers/slurm/job/sbatch_options.hpp"
#include "schedulers/slurm/passes/try_start.hpp"
#include "schedulers/slurm/passes/will_run.hpp"
#include "schedulers/slurm/select/gpu_choice.hpp"
#include "schedulers/slurm/site/read_site.hpp"

#include <stdexcept>

namespace trainyard::slurm {

namespace {

NodeSet named_nodes(const SlurmSite& site, const std::string& names) {
  NodeSet nodes(site.node_count());
  for (const std::string& name : expand_hostlist(names).names) nodes.add(site.node_index(name));
  return nodes;
}

}  // namespace

SlurmSite rule_site(const std::string& conf, SlurmVersion version, const std::string& topology) {
  SlurmSite site;
  site.parameters.version = version;
  read_slurm_conf(site, "slurm.conf", "SelectType=select/cons_tres\n" + conf);
  if (!topology.empty()) read_topology_conf(site, "topology.conf", topology);
  return site;
}

SlurmJob rule_job(const SlurmSite& site, const std::string& id, const std::string& options,
                  const std::string& partitions) {
  SlurmJob job;
  job.id = job.job_name = id;
  job.user = "user";
  for (const std::string& name : split(partitions, ','))
    if (!name.empty()) job.partitions.push_back(site.partition_index(name));
  if (job.partitions.empty()) job.partitions = {0};
  std::string rest;
  for (const std::string& word : split(options, ' ')) {
    const std::string name = word.substr(0, word.find('='));
    const std::string value = word.substr(std::min(word.size(), word.find('=') + 1));
    if (name == "--nodelist")
      job.request.required = named_nodes(site, value);
    else if (name == "--qos")
      job.qos = value;
    else if (name == "--user")
      job.user = value;
    else if (name == "--account")
      job.account = value;
    else
      rest += word + " ";
  }
  const std::string problem = take_options(rest, site.parameters.version, job);
  if (!problem.empty()) throw std::invalid_argument(problem);
  if (job.request.tasks == 0) job.request.tasks = job.request.min_nodes;
  return job;
}

Instant::Instant(SlurmSite site, Time now) : site_(std::move(site)), state_(site_) {
  state_.now = now;
}

void Instant::occupy(const std::string& nodes, int minutes) {
  const NodeSet set = named_nodes(site_, nodes);
  SlurmJob job = rule_job(site_, "busy", "--exclusive");
  job.request.min_nodes = job.request.max_nodes = set.count();
  job.request.wanted_nodes = job.request.tasks = set.count();
  job.time_limit = minutes;
  jobs_.push_back(job);
  JobRecord& record = state_.add_job();
  record.job = &jobs_.back();
  record.priorities = {1};
  record.time_limit = minutes;
  record.allocation = *allocate(site_, job.request, set, state_.use);
  start_job(state_, record);
}

int Instant::queue(const std::string& options, const std::string& partitions) {
  jobs_.push_back(rule_job(site_, std::to_string(jobs_.size()), options, partitions));
  JobRecord& record = state_.add_job();
  record.job = &jobs_.back();
  record.id = record.job->id;
  record.number = record.index + 1;
  record.priorities.assign(record.job->partitions.size(), 1);
  record.partition = record.job->partitions.front();
  record.submitted = record.begin = state_.now;
  record.time_limit = record.job->time_limit.value_or(kNoLimit);
  record.features = feature_nodes(site_, record.job->request.constraint);
  return record.index;
}

std::string Instant::try_now(const std::string& options, const std::string& partitions) {
  JobRecord& record = state_.job(queue(options, partitions));
  Decisions decisions;
  if (try_start(state_, record, state_.available, decisions) == StartResult::Started)
    return node_text(record.allocation.nodes, site_);
  return "(" + record.reason + ")";
}

std::string Instant::submit_refusal(const std::string& options) {
  Slurmctld controller(site_, Cadence());
  jobs_.push_back(rule_job(site_, std::to_string(jobs_.size()), options));
  std::string refusal;
  controller.submit(jobs_.back(), 0, refusal);
  return refusal;
}

std::string Instant::forecast(const std::string& options) {
  JobRecord& record = state_.job(queue(options));
  const auto found =
      will_run(state_, record, state_.partition(record.partition).nodes, Horizon::Ever);
  if (!found) return "never";
  return std::to_string(found->start - state_.now) + ": " + node_text(found->nodes, site_);
}

namespace {

std::vector<SlurmJob> jobs_of(const SlurmSite& site, const std::vector<Line>& lines) {
  std::vector<SlurmJob> jobs;
  for (const Line& line : lines) {
    jobs.push_back(rule_job(site, line.id, line.options, line.partitions));
    jobs.back().submitted = line.at;
    jobs.back().run_time = line.run;
  }
  return jobs;
}

}  // namespace

Story::Story(SlurmSite site, const std::vector<Line>& lines, const std::vector<GoldenEvent>& events,
             double until)
    : site_(std::move(site)),
      jobs_(jobs_of(site_, lines)),
      events_(events),
      replay_(site_, jobs_, events_),
      result_(replay_.run(until)) {}

const JobRecord& Story::record(const std::string& id) const {
  return replay_.state().job(replay_.state().records_of(id).at(0));
}

const Segment* Story::segment(const std::string& id, int run) const {
  if (replay_.state().records_of(id).empty()) return nullptr;
  for (const Segment& each : result_.segments)
    if (each.job == record(id).index && run-- == 0) return &each;
  return nullptr;
}

double Story::start(const std::string& id, int run) const {
  const Segment* found = segment(id, run);
  return found ? found->start : -1;
}

double Story::end(const std::string& id, int run) const {
  const Segment* found = segment(id, run);
  return found ? found->end : -1;
}

std::string Story::end_state(const std::string& id, int run) const {
  const Segment* found = segment(id, run);
  return found ? found->end_state : "";
}

std::string Story::nodes(const std::string& id, int run) const {
  const Segment* found = segment(id, run);
  return found ? node_text(found->allocation.nodes, site_) : "";
}

}  // namespace trainyard::slurm
