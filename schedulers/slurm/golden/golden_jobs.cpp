// jobs.csv: a row a submission. Every task has a node of its own, as the scenarios were submitted.

#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "schedulers/slurm/golden/csv.hpp"
#include "schedulers/slurm/golden/scenario.hpp"
#include "schedulers/slurm/job/sbatch_options.hpp"
#include "schedulers/slurm/job/submit_text.hpp"

#include <algorithm>
#include <map>

namespace trainyard::slurm {

namespace {

bool yes(const CsvRow& row, const std::string& column) {
  const std::string& value = row.text(column);
  return value == "1" || value == "yes" || value == "true";
}

class GoldenJobs {
public:
  explicit GoldenJobs(const SlurmSite& site) : site_(site) {}

  SlurmJob job(const CsvRow& row) const {
    SlurmJob job;
    job.id = row.text("id");
    job.submitted = row.number("submit_s", 0);
    job.user = row.text("user").empty() ? "user1" : row.text("user");
    job.account = row.text("account");
    job.qos = row.text("qos");
    job.job_name = row.text("job_name").empty() ? job.id : row.text("job_name");
    job.partitions = partitions(row);
    take_request(job, row);
    take_times(job, row);
    job.nice = row.number("nice", 0);
    if (!row.text("requeue").empty()) job.requeue = yes(row, "requeue");
    job.hold = yes(row, "hold");
    job.reservation = row.text("reservation");
    job.exit_code = row.integer("exit_code", 0);
    share_as_the_site_does(site_, job);
    return job;
  }

private:
  std::vector<int> partitions(const CsvRow& row) const {
    if (row.text("partition").empty()) {
      if (site_.default_partition() < 0) throw row.error("partition", "there is no default");
      return {site_.default_partition()};
    }
    std::vector<int> found;
    for (const std::string& name : split(row.text("partition"), ',')) {
      found.push_back(site_.partition_index(name));
      if (found.back() < 0) throw row.error("partition", "there is no partition '" + name + "'");
    }
    return found;
  }

  NodeSet nodes(const CsvRow& row, const std::string& column) const {
    if (row.text(column).empty()) return {};
    const Hostlist list = expand_hostlist(row.text(column));
    if (!list.problem.empty()) throw row.error(column, list.problem);
    NodeSet set(site_.node_count());
    for (const std::string& name : list.names) {
      const int node = site_.node_index(name);
      if (node < 0) throw row.error(column, "there is no node '" + name + "'");
      set.add(node);
    }
    return set;
  }

  void take_request(SlurmJob& job, const CsvRow& row) const {
    Request& request = job.request;
    request.min_nodes = request.max_nodes = request.wanted_nodes = row.integer("nodes", 1);
    request.tasks = request.min_nodes;
    request.gpus_per_node = row.integer("gpus_per_node", 0);
    request.cpus_per_task = row.integer("cpus_per_node", std::max(1, 2 * request.gpus_per_node));
    request.exclusive = yes(row, "exclusive");
    request.required = nodes(row, "nodelist");
    request.excluded = nodes(row, "exclude");
    if (!row.text("switches").empty() && !parse_switches(row.text("switches"), job))
      throw row.error("switches", "must be leaves[@time]");
    if (!row.text("array").empty() && !parse_array(row.text("array"), job))
      throw row.error("array", "must be tasks[%at once]");
    if (!row.text("dependency").empty() && !parse_dependencies(row.text("dependency"), job))
      throw row.error("dependency", "is not understood");
    const std::string problem = take_options(row.text("extra"), site_.parameters.version, job);
    if (!problem.empty()) throw row.error("extra", problem);
  }

  static void take_times(SlurmJob& job, const CsvRow& row) {
    if (!row.text("time_limit_min").empty()) job.time_limit = row.integer("time_limit_min", 1);
    job.time_min = row.integer("time_min_min", 0);
    job.begin = row.number("begin_s", 0);
    job.run_time = row.number("run_s", 0);
  }

  const SlurmSite& site_;
};

}  // namespace

std::vector<SlurmJob> read_golden_jobs(const std::string& file, const SlurmSite& site) {
  const Csv csv(file);
  const GoldenJobs reader(site);
  std::vector<SlurmJob> jobs;
  for (const CsvRow& row : csv.rows()) jobs.push_back(reader.job(row));
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const SlurmJob& a, const SlurmJob& b) { return a.submitted < b.submitted; });
  return jobs;
}

}  // namespace trainyard::slurm
