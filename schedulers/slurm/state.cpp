#include "schedulers/slurm/state.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

void insert_sorted(std::vector<int>& indices, int index) {
  indices.insert(std::lower_bound(indices.begin(), indices.end(), index), index);
}

void erase_sorted(std::vector<int>& indices, int index) {
  const auto found = std::lower_bound(indices.begin(), indices.end(), index);
  if (found != indices.end() && *found == index) indices.erase(found);
}

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

}  // namespace

SlurmState::SlurmState(const SlurmSite& of)
    : site(of),
      use(of.node_count()),
      down(of.node_count()),
      drained(of.node_count()),
      available(NodeSet::all(of.node_count())),
      completing(of.node_count()),
      shareable(NodeSet::all(of.node_count())),
      usage(of),
      completing_count_(of.nodes.size()),
      exclusive_count_(of.nodes.size()) {
  std::size_t most = 0;
  for (const SlurmNode& node : of.nodes) most = std::max(most, node.gpu_socket.size());
  free_gpus_.assign(most + 2, NodeSet(of.node_count()));
  for (int node = 0; node < of.node_count(); ++node)
    for (int k = 0; k <= of.nodes[static_cast<std::size_t>(node)].gpus(); ++k)
      free_gpus_[static_cast<std::size_t>(k)].add(node);
  for (int node = 0; node < of.node_count(); ++node) {
    const std::string& configured = of.nodes[static_cast<std::size_t>(node)].state;
    if (starts_with(configured, "DOWN") || starts_with(configured, "FUTURE")) set_down(node);
    if (starts_with(configured, "DRAIN") || starts_with(configured, "FAIL"))
      set_drained(node, true);
  }
}

void SlurmState::count_gpus(const Allocation& allocation) {
  for (const NodeShare& share : allocation.shares) {
    const int all = site.nodes[static_cast<std::size_t>(share.node)].gpus();
    const int free = all - gpu_count(use[share.node].gpus);
    for (int k = 1; k <= all; ++k) {
      NodeSet& nodes = free_gpus_[static_cast<std::size_t>(k)];
      k <= free ? nodes.add(share.node) : nodes.remove(share.node);
    }
  }
}

JobRecord& SlurmState::add_job() {
  jobs_.emplace_back();
  jobs_.back().index = job_count() - 1;
  pending.push_back(jobs_.back().index);
  return jobs_.back();
}

void SlurmState::name_record(const JobRecord& record) {
  by_id_[record.job->id].push_back(record.index);
  if (record.is_task()) by_id_[record.id].push_back(record.index);
}

std::vector<int> SlurmState::records_of(const std::string& id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? std::vector<int>() : found->second;
}

void SlurmState::hold(JobRecord& record) {
  use.add(record.allocation);
  count_gpus(record.allocation);
  if (record.job->request.exclusive)
    record.allocation.nodes.each([&](int node) {
      if (++exclusive_count_[static_cast<std::size_t>(node)] == 1) shareable.remove(node);
    });
  with_topology_ += has_its_topology(record) ? 1 : 0;
  record.state = JobState::Running;
  erase_sorted(pending, record.index);
  insert_sorted(running, record.index);
  usage.started(site, record);
  changed();
}

void SlurmState::give_back(JobRecord& record) {
  use.remove(record.allocation);
  count_gpus(record.allocation);
  record.allocation.nodes.each([&](int node) {
    const auto n = static_cast<std::size_t>(node);
    if (record.job->request.exclusive && --exclusive_count_[n] == 0) shareable.add(node);
    if (is_down(node)) return;
    if (++completing_count_[n] == 1) completing.add(node);
    ++record.completing_nodes;
  });
  with_topology_ -= has_its_topology(record) ? 1 : 0;
  record.completing = record.completing_nodes > 0;
  erase_sorted(running, record.index);
  usage.ended(site, record);
  changed();
}

void SlurmState::node_completed(int node) {
  const auto n = static_cast<std::size_t>(node);
  if (completing_count_[n] > 0 && --completing_count_[n] == 0) completing.remove(node);
  changed();
}

void SlurmState::shrink(JobRecord& record, int node) {
  auto& held = record.allocation.shares;
  const auto found = std::find_if(held.begin(), held.end(),
                                  [&](const NodeShare& share) { return share.node == node; });
  if (found == held.end()) return;
  usage.ended(site, record);
  Allocation lost;
  lost.shares.push_back(*found);
  held.erase(found);
  record.allocation.nodes.remove(node);
  use.remove(lost);
  count_gpus(lost);
  if (record.job->request.exclusive && --exclusive_count_[static_cast<std::size_t>(node)] == 0)
    shareable.add(node);
  usage.started(site, record);
  changed();
}

void SlurmState::set_down(int node) { down.add(node), available.remove(node), changed(); }

void SlurmState::set_drained(int node, bool is_drained) {
  ++node_changes_;
  is_drained ? drained.add(node) : drained.remove(node);
  if (is_drained)
    available.remove(node);
  else if (!is_down(node))
    available.add(node);
  changed();
}

void SlurmState::set_up(int node) {
  down.remove(node), drained.remove(node), available.add(node), ++node_changes_, changed();
}

}  // namespace trainyard::slurm
