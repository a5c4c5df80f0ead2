// The `flow` model: every phase of a collective is one coupled flow group; phases follow each
// other.
#pragma once

#include "network/network.hpp"

#include <vector>

namespace trainyard {

class FlowNetwork final : public Network, private Listener {
public:
  explicit FlowNetwork(Fluid& fluid) : fluid_(fluid) {}

  Prepared prepare(CollectiveSpec spec, Lowered groups) override;
  void drop(Prepared collective) override;
  void start(Prepared collective, Domain domain, Listener* listener, std::int64_t tag) override;
  void withdraw_all(Domain domain) override;
  void credit(Prepared collective, double times) override;
  std::vector<double> link_bytes() const override { return fluid_.link_bytes(); }
  bool can_freeze() const override { return true; }

private:
  struct Run {
    Prepared collective = -1;
    std::size_t phase = 0;
    Domain domain = kNoDomain;
    Listener* listener = nullptr;
    std::int64_t tag = 0;
    Fluid::Handle handle = -1;
    bool active = false;
  };

  void completed(std::int64_t run) override;  // a phase has ended
  void play(std::size_t run);

  Fluid& fluid_;
  std::vector<std::vector<Fluid::PatternId>> collectives_;  // patterns of the phases
  std::vector<Prepared> unused_collectives_;
  std::vector<Run> runs_;
  std::vector<std::size_t> unused_runs_;
};

}  // namespace trainyard
