// The near future of one backfill cycle: in which order running jobs end, and from which end on
// each node could serve requests of one shape. Computed once for all jobs that ask for the same.
#pragma once

#include "schedulers/slurm/select/evaluate.hpp"
#include "schedulers/slurm/state.hpp"

#include <climits>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace trainyard::slurm {

// Of a request that takes the same from every node, whatever else is free there.
struct Readiness {
  static constexpr int kNever = INT_MAX;

  std::vector<int> step;  // of each node: after so many ends; 0: now
  NodeSet now;            // nodes of step 0
  Offers offers;          // of a node once it is ready
};

class Forecast {
public:
  explicit Forecast(const SlurmState& state) : state_(state) {}

  // Running jobs by their ends.
  const std::vector<int>& order();

  // Of the record in its partition; nullptr if its request is not of that kind.
  const Readiness* readiness(const JobRecord& record);

  // A job started or was preempted.
  void outdated() { order_.clear(), known_ = false, shapes_.clear(); }

private:
  using Shape = std::tuple<int, int, long, long, bool, int>;

  Readiness compute(const Request& request, const SlurmPartition& partition);

  const SlurmState& state_;
  std::vector<int> order_;
  bool known_ = false;
  std::map<Shape, Readiness> shapes_;
};

}  // namespace trainyard::slurm
