// Domains that stand still: their flows leave the links, and everything keeps what remained of it.
#include "network/fluid.hpp"

#include <algorithm>

namespace trainyard {

void Fluid::freeze(Domain domain) {
  if (at(domain + 1) >= domains_.size()) domains_.resize(at(domain + 1) + 1);
  DomainState& state = state_of(domain);
  if (state.frozen) return;
  settle();
  state.frozen = true;
  for (const std::int32_t id : state.items) {
    Item& item = items_[at(id)];
    if (item.kind == Kind::Flow) {
      end_flow(id);
    } else {
      item.date = std::max(0.0, item.date - clock_);
    }
    item.frozen = true;
    ++item.schedule;
  }
}

void Fluid::thaw(Domain domain) {
  DomainState& state = state_of(domain);
  if (!state.frozen) return;
  state.frozen = false;
  for (const std::int32_t id : state.items) {
    Item& item = items_[at(id)];
    item.frozen = false;
    if (item.kind == Kind::Flow) {
      begin_flow(id);
    } else {
      item.date += clock_;
      schedule(id);
    }
  }
}

}  // namespace trainyard
