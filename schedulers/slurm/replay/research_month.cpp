#include "schedulers/slurm/replay/research_month.hpp"

#include "base/rng.hpp"

#include <algorithm>
#include <cmath>

namespace trainyard::slurm {

namespace {

constexpr int kNodesOfALeaf = 20;
constexpr int kAccounts = 10, kUsersOfAnAccount = 10;
constexpr double kDay = 24 * 3600, kLongest = 7 * kDay;

std::string padded(int number) {
  const std::string digits = std::to_string(number);
  return std::string(4 - std::min<std::size_t>(4, digits.size()), '0') + digits;
}

void add_nodes(SlurmSite& site, const ResearchMonth& month) {
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

std::string account_name(int account) { return "a" + std::to_string(account); }
std::string user_name(int user) { return "u" + std::to_string(user); }

void add_accounts(SlurmAccounting& accounting) {
  accounting.qos.resize(1);
  accounting.qos.front().name = "normal";
  accounting.associations.resize(1);
  accounting.associations.front().account = "root";
  for (int account = 0; account < kAccounts; ++account) {
    SlurmAssociation above;
    above.account = account_name(account);
    above.parent = 0;
    const int parent = static_cast<int>(accounting.associations.size());
    accounting.associations.push_back(above);
    for (int i = 0; i < kUsersOfAnAccount; ++i) {
      SlurmAssociation user = above;
      user.user = user_name(account * kUsersOfAnAccount + i);
      user.parent = parent;
      accounting.default_accounts[user.user] = above.account;
      accounting.associations.push_back(std::move(user));
    }
  }
}

const SizeShare& size_of(double uniform) {
  double percent = 100 * uniform;
  for (const SizeShare& row : research_sizes()) {
    if (percent < row.jobs) return row;
    percent -= row.jobs;
  }
  return research_sizes().front();
}

// Twice to three times as many a minute by day as by night, so that the queue grows and drains.
double submission_time(const ResearchMonth& month, RandomStream& random) {
  constexpr double kSwing = 0.45, kTwoPi = 6.283185307179586;
  while (true) {
    const double time = random.uniform() * month.days * kDay;
    if (random.uniform() * (1 + kSwing) < 1 + kSwing * std::sin(kTwoPi * time / kDay)) return time;
  }
}

void ask_for(Request& request, int gpus, int gpus_per_node) {
  request.gpus_per_node = std::min(gpus, gpus_per_node);
  request.min_nodes = std::max(1, gpus / gpus_per_node);
  request.max_nodes = request.wanted_nodes = request.tasks = request.min_nodes;
  request.cpus_per_task = 8 * request.gpus_per_node;
}

// Log-normal about its mean: many short runs, a few of days. Limits are generous, by half hours.
void set_times(SlurmJob& job, double mean, RandomStream& random) {
  constexpr double kSigma = 1.2;
  const double normal = random.normal(std::log(mean) - kSigma * kSigma / 2, kSigma);
  job.run_time = std::clamp(std::exp(normal), 30.0, kLongest);
  const double asked = job.run_time * (1.1 + 3 * random.uniform());
  job.time_limit = static_cast<int>(std::min(std::ceil(asked / 1800) * 30, kLongest / 60));
}

}  // namespace

const std::vector<SizeShare>& research_sizes() {
  static const std::vector<SizeShare> sizes = {
      {1, 41, 0.8},    {2, 7, 0.4},      {4, 6, 0.8},     {8, 37, 7},     {16, 2.5, 2.5},
      {32, 2, 4.5},    {64, 1.5, 7},     {128, 1.2, 11},  {256, 0.8, 14}, {512, 0.5, 15},
      {1024, 0.3, 14}, {2048, 0.15, 11}, {4096, 0.05, 12}};
  return sizes;
}

SlurmSite research_site(const ResearchMonth& month) {
  SlurmSite site;
  site.cluster = "research";
  add_nodes(site, month);
  add_tree(site);
  site.prepare();
  add_accounts(site.accounting);
  SlurmParameters& parameters = site.parameters;
  parameters.select_tres = parameters.topology_tree = parameters.accounting = true;
  parameters.priority.multifactor = true;
  parameters.priority.age = 1000, parameters.priority.fairshare = 1000;
  parameters.priority.job_size = 500;
  parameters.scheduler.bf_window = 7 * 24 * 60;
  parameters.scheduler.bf_resolution = 600;
  return site;
}

std::vector<SlurmJob> research_jobs(const ResearchMonth& month) {
  RandomStream random = RandomSource(month.seed).stream("research month");
  const double gpu_seconds_of_a_job =
      month.utilisation * month.nodes * month.gpus_per_node * month.days * kDay / month.jobs;
  std::vector<SlurmJob> jobs(static_cast<std::size_t>(month.jobs));
  for (SlurmJob& job : jobs) job.submitted = std::floor(submission_time(month, random));
  std::sort(jobs.begin(), jobs.end(),
            [](const SlurmJob& a, const SlurmJob& b) { return a.submitted < b.submitted; });
  long number = 0;
  for (SlurmJob& job : jobs) {
    const SizeShare& size = size_of(random.uniform());
    job.id = std::to_string(++number);
    job.user = user_name(static_cast<int>(random.uniform() * kAccounts * kUsersOfAnAccount));
    job.partitions = {0};
    ask_for(job.request, size.gpus, month.gpus_per_node);
    set_times(job, size.time / size.jobs * gpu_seconds_of_a_job / size.gpus, random);
  }
  return jobs;
}

}  // namespace trainyard::slurm
