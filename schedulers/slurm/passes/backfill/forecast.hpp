// The near future of one backfill cycle: in which order running jobs end, and from which end on
// each node could serve requests of one shape. Computed once for all jobs that ask for the same.
#pragma once

#include "schedulers/slurm/select/evaluate.hpp"
#include "schedulers/slurm/state.hpp"

#include <climits>
#include <map>
#include <tuple>
#include <vector>

namespace trainyard::slurm {

// Of a request that takes the same from every node, whatever else is free there.
struct Readiness {
  static constexpr int kNever = INT_MAX;

  Request request;  // one of that shape
  int partition = 0;
  std::vector<int> step;  // of each node: after so many ends; 0: now
  NodeSet now, ever;      // nodes of step 0; nodes that are ready at some time
  Offers offers;          // of a node once it is ready

  // Nodes ready after so many ends. INVARIANT: what is remembered agrees with `step`.
  const NodeSet& by(std::size_t ends);

private:
  friend class Forecast;
  std::map<std::size_t, NodeSet> by_;
};

class Forecast {
public:
  explicit Forecast(const SlurmState& state) : state_(state), use_(state.site.node_count()) {}

  // Running jobs by their ends.
  const std::vector<int>& order();
  // Their nodes.
  const std::vector<std::vector<int>>& nodes() const { return nodes_; }
  // How many have ended at that time.
  std::size_t ended_by(Time time);

  // What a request takes of every node, and in which partition.
  using Shape = std::tuple<int, int, long, long, bool, int>;
  static Shape shape_of(const JobRecord& record);

  // Of the record in its partition; nullptr if its request is not of that kind. Stays where it is.
  Readiness* readiness(const JobRecord& record);

  // The job started now. INVARIANT: nothing else changes while a forecast is used.
  void started(const JobRecord& record);

private:
  void look_at(Readiness& ready, const NodeSet& nodes);
  void keep_order();

  const SlurmState& state_;
  ClusterUse use_;  // scratch
  std::vector<int> order_;
  std::vector<Time> ends_;
  std::vector<std::vector<int>> nodes_;
  bool known_ = false;
  std::map<Shape, Readiness> shapes_;
};

}  // namespace trainyard::slurm
