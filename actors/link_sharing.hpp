// Which jobs can slow each other down: those that use a common link and could fill it together.
//
// Most links that two jobs share cannot be full, even when both bring there as much as they can at
// the same time. Such a link couples nobody: each job's steps are what they would be without the
// other.
//
// INVARIANT: two jobs that may ever wait for each other's traffic are connected.
#pragma once

#include "actors/step_model.hpp"
#include "network/fluid.hpp"

#include <map>
#include <vector>

namespace trainyard {

class LinkSharing {
public:
  LinkSharing(const Capacities& capacities, std::size_t links);

  // The uses must outlive the job's removal.
  void add(Domain job, const std::vector<LinkUse>& uses);
  void remove(Domain job);

  // All jobs that are coupled with it, directly or through others; ascending, itself included.
  std::vector<Domain> connected_to(Domain job) const;
  // The links that couple jobs among these, ascending.
  std::vector<LinkId> coupling_links(const std::vector<Domain>& jobs) const;

private:
  struct User {
    Domain job;
    double peak;  // bytes/s
  };
  struct LinkState {
    std::vector<User> users;
    bool couples = false;
  };
  void weigh(LinkId link);

  const Capacities& capacities_;
  std::map<Domain, const std::vector<LinkUse>*> uses_;
  std::vector<LinkState> links_;  // by LinkId
};

}  // namespace trainyard
