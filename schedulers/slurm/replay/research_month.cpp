#include "schedulers/slurm/replay/research_month.hpp"

#include "base/rng.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard::slurm {

namespace {

struct SizeShare {
  int gpus;
  double share;  // of the jobs
};

constexpr SizeShare kSizes[] = {{1, 0.41},     {2, 0.07},    {4, 0.06},     {8, 0.32},
                                {16, 0.05},    {32, 0.03},   {64, 0.03},    {128, 0.015},
                                {256, 0.008},  {512, 0.004}, {1024, 0.002}, {2048, 0.0006},
                                {4096, 0.0003}};

constexpr int kNodesOfALeaf = 32;

int size_of(double uniform) {
  for (const SizeShare& row : kSizes) {
    if (uniform < row.share) return row.gpus;
    uniform -= row.share;
  }
  return 8;
}

double mean_gpus() {
  double sum = 0, shares = 0;
  for (const SizeShare& row : kSizes) sum += row.gpus * row.share, shares += row.share;
  return sum / shares;
}

std::string padded(int number) {
  const std::string digits = std::to_string(number);
  return std::string(4 - std::min<std::size_t>(4, digits.size()), '0') + digits;
}

void add_tree(SlurmSite& site) {
  const int nodes = site.node_count();
  const int leaves = (nodes + kNodesOfALeaf - 1) / kNodesOfALeaf;
  for (int leaf = 0; leaf < leaves; ++leaf) {
    SlurmSwitchRecord record{"leaf" + std::to_string(leaf), 0, leaves, NodeSet(nodes)};
    for (int n = leaf * kNodesOfALeaf; n < std::min(nodes, (leaf + 1) * kNodesOfALeaf); ++n)
      record.nodes.add(n);
    site.switches.push_back(std::move(record));
  }
  site.switches.push_back({"spine", 1, leaves, NodeSet::all(nodes)});
}

}  // namespace

SlurmSite research_site(const ResearchMonth& month) {
  SlurmSite site;
  site.cluster = "research";
  for (int i = 0; i < month.nodes; ++i) {
    SlurmNode node;
    node.name = "n" + padded(i + 1);
    node.sockets = 2, node.cores_per_socket = 8 * month.gpus_per_node;
    node.gpu_socket.assign(static_cast<std::size_t>(month.gpus_per_node), -1);
    site.nodes.push_back(std::move(node));
  }
  SlurmPartition partition;
  partition.name = "research";
  partition.is_default = true;
  partition.nodes = NodeSet::all(month.nodes);
  site.partitions.push_back(std::move(partition));
  add_tree(site);
  site.look_at_weights();
  SlurmParameters& parameters = site.parameters;
  parameters.select_tres = parameters.topology_tree = parameters.accounting = true;
  parameters.priority.multifactor = true;
  parameters.priority.age = 1000, parameters.priority.job_size = 500;
  parameters.scheduler.bf_window = 7 * 24 * 60;
  parameters.scheduler.bf_resolution = 600;
  return site;
}

std::vector<SlurmJob> research_jobs(const ResearchMonth& month) {
  RandomStream random = RandomSource(month.seed).stream("research month");
  const double seconds = month.days * 24 * 3600;
  const double gpu_seconds =
      month.utilisation * month.nodes * month.gpus_per_node * seconds / month.jobs;
  const double sigma = 1.2;  // log-normal: many short jobs, a few of days
  const double median = std::log(gpu_seconds / mean_gpus()) - sigma * sigma / 2;
  std::vector<SlurmJob> jobs(static_cast<std::size_t>(month.jobs));
  for (SlurmJob& job : jobs) job.submitted = std::floor(random.uniform() * seconds);
  std::sort(jobs.begin(), jobs.end(),
            [](const SlurmJob& a, const SlurmJob& b) { return a.submitted < b.submitted; });
  long number = 0;
  for (SlurmJob& job : jobs) {
    const int gpus = size_of(random.uniform());
    job.id = std::to_string(++number);
    job.user = "u" + std::to_string(static_cast<int>(random.uniform() * 100));
    job.partitions = {0};
    Request& request = job.request;
    request.gpus_per_node = std::min(gpus, month.gpus_per_node);
    request.min_nodes = std::max(1, gpus / month.gpus_per_node);
    request.max_nodes = request.wanted_nodes = request.tasks = request.min_nodes;
    request.cpus_per_task = 8 * request.gpus_per_node;
    job.run_time = std::clamp(std::exp(random.normal(median, sigma)), 30.0, 7.0 * 24 * 3600);
    const double asked = job.run_time * (1.1 + 3 * random.uniform());
    job.time_limit = static_cast<int>(std::min(std::ceil(asked / 1800) * 30, 7.0 * 24 * 60));
    job.run_time = std::min(job.run_time, 60.0 * *job.time_limit);
  }
  return jobs;
}

}  // namespace trainyard::slurm
