// The counters of a selection under way: what is still wanted, node by node taken.
#pragma once

#include "schedulers/slurm/select/offer.hpp"

#include <algorithm>

namespace trainyard::slurm {

// How many nodes one selection may and should take.
struct NodeCounts {
  int least = 1, most = 1, wanted = 1;
};

class Filling {
public:
  Filling(const Request& request, const NodeCounts& counts, int nodes)
      : chosen(nodes),
        request_(request),
        counts_(counts),
        cpus_(request.min_cpus()),
        spare_cpus_(request.min_cpus()),
        gpus_(request.gpus_total),
        most_(counts.most),
        least_(counts.least),
        nodes_(request.gpus_total > 0 ? std::min(counts.least, counts.wanted)
                                      : std::max(counts.least, counts.wanted)) {}

  // The node's CPUs are cut to what the job still wants, keeping one share for each node to come.
  void take(int node, const Offer& offer) {
    const int cpus = usable(offer);
    chosen.add(node);
    cpus_ -= cpus;
    spare_cpus_ -= cpus;
    gpus_ -= offer.gpus;
    --nodes_, --least_, --most_;
  }

  bool done() const { return nodes_ <= 0 && cpus_ <= 0 && gpus_done(); }
  bool full() const { return most_ <= 0; }
  bool gpus_done() const { return request_.gpus_total == 0 || gpus_ <= 0; }
  // At the end, a range of nodes is content with its least.
  bool enough() const { return cpus_ <= 0 && gpus_done() && enough_nodes(0); }
  bool enough_at_least() const { return least_ <= 0 && cpus_ <= 0 && gpus_done(); }

  bool enough_nodes(int available) const {
    const int needed =
        counts_.wanted > counts_.least ? nodes_ + counts_.least - counts_.wanted : nodes_;
    return available >= needed;
  }
  bool sufficient(int nodes, int cpus, int gpus) const {
    return cpus >= cpus_ && enough_nodes(nodes) && (request_.gpus_total == 0 || gpus >= gpus_);
  }

  int cpus_left() const { return cpus_; }
  int gpus_left() const { return gpus_; }
  int nodes_left() const { return nodes_; }
  int most_left() const { return most_; }

  int usable(const Offer& offer) const {
    if (request_.exclusive) return offer.cpus;
    const int others = std::max(least_ - 1, 0);
    const int rest = spare_cpus_ - others;
    if (offer.cpus <= rest) return offer.cpus;
    return std::max(rest, request_.cpus_on_a_node());
  }

  NodeSet chosen;

private:
  const Request& request_;
  NodeCounts counts_;
  int cpus_, spare_cpus_, gpus_, most_, least_, nodes_;
};

}  // namespace trainyard::slurm
