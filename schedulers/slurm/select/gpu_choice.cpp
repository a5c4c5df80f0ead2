#include "schedulers/slurm/select/gpu_choice.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

constexpr int kAnySocket = -1;

class GpuChoice {
public:
  GpuChoice(const SlurmNode& node, std::uint64_t used, const CoresBySocket& cores)
      : node_(node), used_(used), cores_(cores) {
    if (!node.gpu_links.empty()) links_.assign(node.gpu_socket.size(), 0);
  }

  std::uint64_t choose(int count, GpuSpread spread) {
    spread == GpuSpread::OneASocket ? one_a_socket(count) : by_cores(count);
    const int best = best_links();
    for (int least = best; least >= 0 && !has(count); --least)
      for (int socket = kAnySocket; socket < node_.sockets && !has(count); ++socket)
        if (usable(socket)) take_from(socket, least, count);
    for (int least = best; least >= 0 && !has(count); --least)
      for (int socket = 0; socket < node_.sockets && !has(count); ++socket)
        if (!usable(socket)) take_from(socket, least, count);
    return chosen_;
  }

private:
  bool has(int count) const { return gpu_count(chosen_) >= count; }
  bool usable(int socket) const {
    return socket == kAnySocket || cores_[static_cast<std::size_t>(socket)] > 0;
  }
  bool open(std::size_t gpu, int socket) const {
    return node_.gpu_socket[gpu] == socket && !((used_ | chosen_) >> gpu & 1);
  }

  void one_a_socket(int count) {
    for (int socket = kAnySocket; socket < node_.sockets && !has(count); ++socket) {
      if (!usable(socket)) continue;
      for (std::size_t gpu = 0; gpu < node_.gpu_socket.size(); ++gpu)
        if (open(gpu, socket)) {
          take(gpu);
          break;
        }
    }
  }

  // Rounded down; GPUs that belong to no socket come next, by links.
  void by_cores(int count) {
    int all = 0;
    for (const std::int16_t cores : cores_) all += cores;
    for (int socket = 0; socket < node_.sockets && all > 0; ++socket) {
      int share = cores_[static_cast<std::size_t>(socket)] * count / all;
      for (std::size_t gpu = 0; gpu < node_.gpu_socket.size() && share > 0; ++gpu)
        if (open(gpu, socket)) take(gpu), --share;
    }
  }

  void take(std::size_t gpu) {
    chosen_ |= std::uint64_t{1} << gpu;
    for (std::size_t other = 0; other < links_.size(); ++other)
      if (other != gpu && !(used_ >> other & 1)) links_[other] += node_.gpu_links[gpu][other];
  }

  // The class of the best linked GPU; at most four classes.
  int best_links() {
    if (links_.empty()) return 0;
    const int best = std::max(0, *std::max_element(links_.begin(), links_.end()));
    if (best <= 4) return best;
    for (int& links : links_) links /= (best + 3) / 4;
    return *std::max_element(links_.begin(), links_.end());
  }

  void take_from(int socket, int least, int count) {
    for (std::size_t gpu = 0; gpu < node_.gpu_socket.size() && !has(count); ++gpu)
      if (open(gpu, socket) && (links_.empty() || links_[gpu] >= least))
        chosen_ |= std::uint64_t{1} << gpu;
  }

  const SlurmNode& node_;
  std::uint64_t used_, chosen_ = 0;
  const CoresBySocket& cores_;
  std::vector<int> links_;  // to the GPUs chosen first, of each GPU
};

// Cores in turn from each socket, those beside free GPUs first where the job wants GPUs. What is
// missing then is shared: gang scheduling gave cores that are in use.
CoresBySocket cores_of_node(const SlurmNode& node, const Request& request, const NodeUse& use,
                            int wanted) {
  CoresBySocket cores{};
  const auto beside_gpu = [&](int socket) {
    for (std::size_t gpu = 0; gpu < node.gpu_socket.size(); ++gpu)
      if (!(use.gpus >> gpu & 1) &&
          (node.gpu_socket[gpu] == socket || node.gpu_socket[gpu] == kAnySocket))
        return true;
    return false;
  };
  const bool gpus = request.gpus_per_node > 0 || request.gpus_total > 0;
  enum class Where { NearGpus, Free, Shared };
  for (const Where where : {Where::NearGpus, Where::Free, Where::Shared})
    for (bool found = true; found && wanted > 0;) {
      found = false;
      for (int socket = 0; socket < std::min(node.sockets, kMostSockets) && wanted > 0; ++socket) {
        if (where == Where::NearGpus && gpus && !beside_gpu(socket)) continue;
        const auto s = static_cast<std::size_t>(socket);
        const int used = cores[s] + (where == Where::Shared ? 0 : use.cores[s]);
        if (used >= node.cores_per_socket) continue;
        ++cores[s], --wanted, found = true;
      }
    }
  return cores;
}

int cpus_on(const SlurmSite& site, const Request& request, int node) {
  if (request.exclusive) return site.nodes[static_cast<std::size_t>(node)].cpus();
  return request.cpus_on_a_node();
}

// GPUs of one node for a job that wants so many in all: at least one for each node to come.
std::uint64_t gpus_of_total(const SlurmNode& node, std::uint64_t used, const CoresBySocket& cores,
                            int wanted, GpuSpread spread) {
  const int free = node.gpus() - gpu_count(used);
  std::uint64_t chosen = 0;
  for (int socket = kAnySocket; socket < node.sockets; ++socket)
    for (std::size_t gpu = 0; gpu < node.gpu_socket.size(); ++gpu) {
      if (gpu_count(chosen) >= std::min(wanted, free)) return chosen;
      if (node.gpu_socket[gpu] != socket || ((used | chosen) >> gpu & 1)) continue;
      if (socket == kAnySocket || cores[static_cast<std::size_t>(socket)] > 0)
        chosen |= std::uint64_t{1} << gpu;
    }
  return chosen != 0 ? chosen : gpus_of_node(node, used, cores, std::min(wanted, 1), spread);
}

}  // namespace

std::uint64_t gpus_of_node(const SlurmNode& node, std::uint64_t used, const CoresBySocket& cores,
                           int count, GpuSpread spread) {
  return count > 0 ? GpuChoice(node, used, cores).choose(count, spread) : 0;
}

std::optional<Allocation> allocate(const SlurmSite& site, const Request& request,
                                   const NodeSet& nodes, const ClusterUse& use) {
  Allocation allocation;
  allocation.nodes = nodes;
  int rest = nodes.count(), gpus = request.gpus_total;
  const GpuSpread spread = gpu_spread(site.parameters.version);
  nodes.each([&](int index) {
    const SlurmNode& node = site.nodes[static_cast<std::size_t>(index)];
    NodeShare share;
    share.node = index;
    share.cpus = cpus_on(site, request, index);
    const int cores = (share.cpus + node.threads_per_core - 1) / node.threads_per_core;
    share.cores = cores_of_node(node, request, use[index], cores);
    const std::uint64_t used = use[index].gpus;
    if (request.exclusive)
      share.gpus = gpus_of_node(node, used, share.cores, node.gpus(), spread);
    else if (request.gpus_total > 0)
      share.gpus = gpus_of_total(node, used, share.cores, gpus - (rest - 1), spread);
    else
      share.gpus = gpus_of_node(node, used, share.cores, request.gpus_per_node, spread);
    gpus -= gpu_count(share.gpus), --rest;
    if (site.parameters.memory)
      share.memory = request.memory_per_cpu > 0    ? request.memory_per_cpu * share.cpus
                     : request.memory_per_node > 0 ? request.memory_per_node
                                                   : node.memory;
    allocation.shares.push_back(share);
  });
  for (NodeShare& share : allocation.shares) {  // what is missing, wherever it is free
    if (request.gpus_total == 0 || gpus <= 0) break;
    const SlurmNode& node = site.nodes[static_cast<std::size_t>(share.node)];
    const std::uint64_t used = use[share.node].gpus | share.gpus;
    const int more = std::min(gpus, node.gpus() - gpu_count(used));
    share.gpus |= gpus_of_node(node, used, share.cores, more, spread);
    gpus -= more;
  }
  if (request.gpus_total > 0 && gpus > 0 && !request.exclusive) return {};
  return allocation;
}

}  // namespace trainyard::slurm
