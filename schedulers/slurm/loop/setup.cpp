#include "schedulers/slurm/loop/setup.hpp"

#include "base/error.hpp"
#include "base/hostlist.hpp"
#include "base/text.hpp"
#include "schedulers/slurm/job/sbatch_options.hpp"
#include "schedulers/slurm/job/submit_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard::slurm {

namespace {

constexpr int kCoresPerGpu = 16;

std::string gpus_of(const std::string& node, int gpus) {
  return "node '" + node + "' has " + std::to_string(gpus) + " GPUs";
}

int widest(const SlurmSite& site) {
  int most = 1;
  for (const SlurmNode& node : site.nodes) most = std::max(most, node.gpus());
  return most;
}

// Few nodes, the same number of GPUs on each, whole blocks.
void spread_over_nodes(const Job& job, int most, Request& request) {
  int nodes = (job.gpus + most - 1) / most;
  const auto even = [&](int n) {
    return job.gpus % n == 0 && job.gpus / n % job.gpus_per_block == 0;
  };
  while (nodes < job.gpus && !even(nodes)) ++nodes;
  request.min_nodes = request.max_nodes = request.wanted_nodes = nodes;
  request.gpus_per_node = job.gpus / nodes;
}

// What was not said: a task a node, and its GPUs' share of the cores.
void fill_in(const SlurmSite& site, const Job& job, const SlurmJob& blank, SlurmJob& slurm) {
  Request& request = slurm.request;
  if (request.gpus_per_node == 0 && request.gpus_total == 0) {
    if (request.min_nodes == blank.request.min_nodes)
      spread_over_nodes(job, widest(site), request);
    else
      request.gpus_per_node = job.gpus / request.min_nodes;
  }
  if (request.gpus_per_node > 0 && request.min_nodes == 1 && job.gpus > request.gpus_per_node)
    request.min_nodes = request.max_nodes = request.wanted_nodes = job.gpus / request.gpus_per_node;
  if (request.tasks == 0) request.tasks = request.min_nodes;
  if (request.cpus_per_task == 1 && request.gpus_per_node > 0) {
    int share = kCoresPerGpu;
    for (const SlurmNode& node : site.nodes)
      if (node.gpus() > 0) share = std::min(share, node.cpus() / node.gpus());
    request.cpus_per_task = std::max(1, share * request.gpus_per_node);
  }
}

std::string problem_of(const Job& job, const SlurmJob& slurm) {
  const Request& request = slurm.request;
  const int asked =
      request.gpus_total > 0 ? request.gpus_total : request.min_nodes * request.gpus_per_node;
  if (asked != job.gpus)
    return "asks for " + std::to_string(asked) + " GPUs, and the job has " +
           std::to_string(job.gpus);
  if (request.max_nodes != request.min_nodes && request.gpus_total == 0)
    return "a range of nodes would change the number of GPUs; give --gpus";
  if (request.gpus_total > 0 && job.gpus_per_block > 1)
    return "--gpus may spread a tensor group over nodes; give --nodes and --gpus-per-node";
  return "";
}

bool take_nodes(const std::string& hostlist, const SlurmSite& site, NodeSet& nodes) {
  const Hostlist list = expand_hostlist(hostlist);
  if (!list.problem.empty()) return false;
  nodes = NodeSet(site.node_count());
  for (const std::string& name : list.names) {
    const int node = site.node_index(name);
    if (node < 0) return false;
    nodes.add(node);
  }
  return true;
}

std::string unknown_nodes(const std::string& hostlist) {
  return "'" + printable(hostlist) + "' are no nodes of the site";
}

// "--partition=a,b" and what else names parts of the site, which the other options do not know of.
std::string take_names(std::string& options, const SlurmSite& site, SlurmJob& job) {
  std::string rest;
  for (const std::string& word : split(options, ' ')) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (name == "--partition" || name == "-p") {
      for (const std::string& each : split(value, ',')) {
        job.partitions.push_back(site.partition_index(each));
        if (job.partitions.back() < 0) return "there is no partition '" + printable(each) + "'";
      }
    } else if (name == "--qos" || name == "-q") {
      job.qos = value;
    } else if (name == "--account" || name == "-A") {
      job.account = value;
    } else if (name == "--uid" || name == "--user") {
      job.user = value;
    } else if (name == "--dependency" || name == "-d") {
      if (!parse_dependencies(value, job)) return "'" + printable(word) + "' is not understood";
    } else if (name == "--nodelist" || name == "-w") {
      if (!take_nodes(value, site, job.request.required)) return unknown_nodes(value);
    } else if (name == "--exclude" || name == "-x") {
      if (!take_nodes(value, site, job.request.excluded)) return unknown_nodes(value);
    } else if (name == "--begin" || name == "-b") {
      const auto after = value.rfind("now+", 0) == 0 ? parse_double(value.substr(4)) : std::nullopt;
      if (!after || *after < 0) return "'" + printable(word) + "' must be now+seconds";
      job.begin = job.submitted + *after;
    } else {
      rest += word + " ";
    }
  }
  options = rest;
  return "";
}

}  // namespace

std::string conf_of(const Platform& platform) {
  std::string text = "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nGresTypes=gpu\n";
  for (const Node& node : platform.nodes)
    text += "NodeName=" + node.name + " Sockets=2 CoresPerSocket=" +
            std::to_string(std::max(1, kCoresPerGpu * node.gpus / 2)) +
            " ThreadsPerCore=1 Gres=gpu:" + std::to_string(node.gpus) + "\n";
  return text;
}

std::vector<NodeId> match_nodes(const SlurmSite& site, const Platform& platform,
                                const std::string& file) {
  std::map<std::string, NodeId> by_name;
  for (std::size_t i = 0; i < platform.nodes.size(); ++i)
    by_name[platform.nodes[i].name] = NodeId(static_cast<std::int64_t>(i));
  std::vector<NodeId> node_of(site.nodes.size());
  std::int64_t next = 0;
  const bool named = std::all_of(site.nodes.begin(), site.nodes.end(), [&](const SlurmNode& node) {
    return node.gpus() == 0 || by_name.count(node.name) > 0;
  });
  for (std::size_t i = 0; i < site.nodes.size(); ++i) {
    const SlurmNode& node = site.nodes[i];
    if (node.gpus() == 0) continue;
    node_of[i] = named ? by_name[node.name] : NodeId(next);
    if (++next > platform.node_count()) continue;
    const Node& other = platform.nodes[node_of[i].index()];
    if (other.gpus != node.gpus())
      throw InputError(
          {file}, "",
          gpus_of(node.name, node.gpus()) + "; in the platform " + gpus_of(other.name, other.gpus));
  }
  if (next != platform.node_count())
    throw InputError({file}, "",
                     "has " + std::to_string(next) + " nodes with GPUs, the platform " +
                         std::to_string(platform.node_count()));
  return node_of;
}

void add_leaves(SlurmSite& site, const Platform& platform, const std::vector<NodeId>& node_of) {
  std::map<SwitchId, NodeSet> leaves;
  const int nodes = site.node_count();
  for (int i = 0; i < nodes; ++i) {
    const NodeId node = node_of[static_cast<std::size_t>(i)];
    if (!node.valid() || !platform.nodes[node.index()].leaf.valid()) return;
    leaves.emplace(platform.nodes[node.index()].leaf, NodeSet(nodes)).first->second.add(i);
  }
  const int root = static_cast<int>(leaves.size());
  for (const auto& [id, members] : leaves)
    site.switches.push_back({platform.switches[id.index()].name, 0, root, members});
  site.switches.push_back({"fabric", 1, root, NodeSet::all(nodes)});
}

SlurmJob slurm_job(const Job& job, const std::string& options, const SlurmSite& site,
                   std::string& problem) {
  SlurmJob slurm;
  const SlurmJob blank;
  slurm.id = slurm.job_name = job.array_task < 0 ? job.name : job.array;
  slurm.submitted = in_seconds(job.submit);
  slurm.user = "user";
  slurm.nice = -static_cast<double>(job.priority);
  if (job.priority > 0) slurm.user = "root";  // who alone may go before the others
  std::string rest = options;
  problem = take_names(rest, site, slurm);
  if (problem.empty()) problem = take_options(rest, site.parameters.version, slurm);
  if (!problem.empty()) return slurm;
  if (slurm.partitions.empty()) {
    if (site.default_partition() < 0) problem = "names no partition, and the site has no default";
    slurm.partitions.push_back(std::max(0, site.default_partition()));
  }
  if (!slurm.time_limit && job.limit < forever())
    slurm.time_limit = static_cast<int>(std::min(1e8, std::ceil(in_seconds(job.limit) / 60)));
  fill_in(site, job, blank, slurm);
  share_as_the_site_does(site, slurm);
  slurm.run_time = in_seconds(job.run_time);
  if (problem.empty()) problem = problem_of(job, slurm);
  return slurm;
}

}  // namespace trainyard::slurm
