// Links on which the same flow groups put the same loads are twins: full at the same time, so that
// one of them stands for all. A folded job of thousands of ranks crosses few links that are not.
//
// INVARIANT: rates and times on the links that are left are those on all of them; bytes are counted
// on those left only, so this is for steps that are played in private.
#pragma once

#include "network/network.hpp"

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace trainyard {

class TwinLinks {
public:
  // Of all groups that are ever played together.
  TwinLinks(const std::vector<Lowered>& collectives, const Capacities& capacities);

  // The groups without the links that another stands for.
  Lowered one_of_each(const Lowered& groups);

private:
  std::vector<char> kept_;  // by LinkId; empty: all
  std::unordered_map<const FlowGroup*, std::shared_ptr<const FlowGroup>> thinned_;
};

// Another network, to which collectives are given without their twin links.
class ThinNetwork final : public Network {
public:
  ThinNetwork(std::unique_ptr<Network> network, TwinLinks twins)
      : network_(std::move(network)), twins_(std::move(twins)) {}

  Prepared prepare(std::shared_ptr<const CollectiveSpec> spec, Lowered groups) override {
    return network_->prepare(std::move(spec), twins_.one_of_each(groups));
  }
  void drop(Prepared collective) override { network_->drop(collective); }
  void start(Prepared collective, Domain domain, Listener* listener, std::int64_t tag) override {
    network_->start(collective, domain, listener, tag);
  }
  void withdraw_all(Domain domain) override { network_->withdraw_all(domain); }
  void credit(Prepared collective, double times) override { network_->credit(collective, times); }
  std::vector<double> link_bytes() const override { return network_->link_bytes(); }
  bool can_freeze() const override { return network_->can_freeze(); }

private:
  std::unique_ptr<Network> network_;
  TwinLinks twins_;
};

}  // namespace trainyard
