// The `analytic` model: latency and bandwidth per link class, no sharing. The ideal beside every
// result.
//
// A phase takes its latency, then the time its busiest port needs: NVLinks and NICs at their
// nominal rate. The fabric between the NICs is never in the way: no collision of paths, no
// oversubscription, no other job. So what `flow` takes longer was lost in the fabric, to a slow
// part or to a neighbour. The links of a plain SimGrid platform have no class: each counts as a
// port.
#pragma once

#include "network/network.hpp"

#include <map>
#include <vector>

namespace trainyard {

// `flow` or `analytic`: the models that need no engine.
std::unique_ptr<Network> make_fluid_network(NetworkModel model, Fluid& fluid,
                                            const Platform& platform);

Seconds analytic_duration(const FlowGroup& group, const Platform& platform);
Seconds analytic_duration(const Lowered& groups, const Platform& platform);

// INVARIANT: a collective's bytes are counted when it ends; one that is withdrawn counts nothing.
class AnalyticNetwork final : public Network, private Listener {
public:
  AnalyticNetwork(Fluid& fluid, const Platform& platform)
      : fluid_(fluid), platform_(platform), dropped_bytes_(platform.links.size()) {}

  Prepared prepare(std::shared_ptr<const CollectiveSpec> spec, Lowered groups) override;
  void drop(Prepared collective) override;
  void start(Prepared collective, Domain domain, Listener* listener, std::int64_t tag) override;
  void withdraw_all(Domain domain) override;
  void credit(Prepared collective, double times) override;
  std::vector<double> link_bytes() const override;
  bool can_freeze() const override { return true; }

private:
  struct Prepare {
    Lowered groups;
    Seconds duration;
    double plays = 0;
  };
  struct Run {
    Prepared collective = -1;
    Domain domain = kNoDomain;
    Listener* listener = nullptr;
    std::int64_t tag = 0;
    Fluid::Handle handle = -1;
  };

  void completed(std::int64_t run) override;

  Fluid& fluid_;
  const Platform& platform_;
  std::vector<Prepare> prepared_;
  std::vector<Prepared> unused_;
  std::map<std::int64_t, Run> runs_;  // by order of start
  std::int64_t next_run_ = 0;
  std::vector<double> dropped_bytes_;  // by LinkId
};

}  // namespace trainyard
