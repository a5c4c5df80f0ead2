// Fails nodes and repairs them: at listed times, or at random with a mean time between failures per
// node.
//
// Each node draws from a stream of its own name: adding a job or another node never moves a
// failure. A node that is down does not fail again before it is back.
#pragma once

#include "base/rng.hpp"
#include "config/section.hpp"
#include "platforms/platform.hpp"
#include "sim/messages.hpp"

#include <optional>
#include <vector>

namespace trainyard {

struct FailureSpec {
  struct Listed {
    NodeId node;
    Seconds at, repair;
  };
  std::optional<Seconds> node_mtbf;
  Seconds node_repair = hours(1);
  std::vector<Listed> listed;
};

// `failures: {node: {mtbf: 154 d, repair: 2 h}, list: [{node: node3, at: 1 h, repair: 30 min}]}`
FailureSpec read_failures(Section& section, const Platform& platform);

// The whole future of failures up to a time, as a value: (time, node, repaired at), by time then
// node.
struct PlannedFailure {
  Seconds at;
  NodeId node;
  Seconds back;
};

class FailurePlan {
public:
  FailurePlan(const FailureSpec& spec, const Platform& platform, const RandomSource& random);
  std::optional<PlannedFailure> next();

private:
  struct NodeStream {
    RandomStream stream;
    PlannedFailure upcoming;
  };
  Seconds mtbf_, repair_;
  std::vector<NodeStream> nodes_;
  std::vector<PlannedFailure> listed_;
};

class FailureInjector {
public:
  FailureInjector(FailurePlan plan, SchedulerInbox& scheduler)
      : plan_(std::move(plan)), scheduler_(scheduler) {}
  void operator()();

private:
  FailurePlan plan_;
  SchedulerInbox& scheduler_;
};

}  // namespace trainyard
