// Which parts fail when, as plain data: nodes, cables and switches, from a list or at random.
//
// Each node draws from a stream of its own name, and the cables from one of theirs: adding a job or
// another node never moves a failure. A node that is down does not fail again before it is back.
#pragma once

#include "base/rng.hpp"
#include "config/section.hpp"
#include "network/flow_network.hpp"
#include "platforms/platform.hpp"

#include <optional>
#include <vector>

namespace trainyard {

// What fails: a node, or else links, of which `factor` of the bandwidth is left (0: they are down).
struct FailingPart {
  NodeId node;
  std::vector<LinkId> links{};
  double factor = 0;
};

struct FailureSpec {
  struct Listed {
    FailingPart part;
    Seconds at, repair;
  };
  std::optional<Seconds> node_mtbf;
  Seconds node_repair = hours(1);
  std::optional<Seconds> cable_mtbf;  // of one cable between switches, or between one and a NIC
  Seconds cable_repair = minutes(10);
  std::vector<Listed> listed;
  Transport transport;

  bool links_may_fail() const;
};

// `failures: {node: {mtbf: 154 d, repair: 2 h}, cable: {mtbf: 1000 d, repair: 10 min},
//   list: [{node: node3, at: 1 h, repair: 30 min}, {switch: spine1, at: 2 h, repair: 1 h},
//          {cable: leaf0/spine1, at: 3 h, repair: 1 h, factor: 0.5}],
//   transport: {timeout: 4.3 s, retries: 7}}`
FailureSpec read_failures(Section& section, const Platform& platform);

struct PlannedFailure {
  Seconds at;
  FailingPart part;
  Seconds back;
};

// The whole future of failures, one after another: by time, then nodes first and by id.
class FailurePlan {
public:
  FailurePlan(const FailureSpec& spec, const Platform& platform, const RandomSource& random);
  std::optional<PlannedFailure> next();

private:
  struct NodeStream {
    RandomStream stream;
    PlannedFailure upcoming;
  };
  void draw_cable();

  Seconds mtbf_, repair_, cable_gap_, cable_repair_;
  std::vector<NodeStream> nodes_;
  std::vector<std::vector<LinkId>> cables_;
  RandomStream cable_stream_;
  std::optional<PlannedFailure> upcoming_cable_;
  std::vector<PlannedFailure> listed_;  // the next is the last
};

}  // namespace trainyard
