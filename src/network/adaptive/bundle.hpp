// A bundle: all transfers of a flow group that may take the same ways through the fabric, and how
// adaptive routing divides them among those ways now.
//
// Only switches divide. What a GPU sends out of each of its ports stays as it is: a host does not
// see the fabric.
#pragma once

#include "base/ids.hpp"
#include "network/routing.hpp"
#include "platforms/platform.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace trainyard {

// INVARIANT: at every switch, what enters (with its supply) leaves.
struct Bundle {
  struct Cable {
    std::size_t link = 0;  // in Ways::links
    int from = 0, to = 0;  // indices into `supply`
    double share = 0;      // of the bundle's bytes; may be 0
  };
  double load = 0;             // bytes per unit of the group's progress
  std::vector<Cable> cables;   // of the shortest paths
  std::vector<double> supply;  // by switch: the share that enters the fabric here; < 0: leaves it
};

// All bundles of a group.
struct Ways {
  std::vector<LinkId> links;  // of their cables, ascending
  std::vector<double> fixed;  // bytes per unit of progress on each that no bundle can move
  std::vector<Bundle> bundles;

  std::vector<double> loads() const;  // by `links`: bytes per unit of progress
};

// Adds up transfers that take the same ways.
class BundleSums {
public:
  explicit BundleSums(const Platform& platform);

  // One transfer, or several alike: `bytes` over a path on which spray has divided them.
  void add(const LinkShare* first, const LinkShare* last, double bytes);

  // `bytes_on`: all that the group moves over a link. No bundles if they are too many to be looked
  // at whenever a rate changes: then the even division stays.
  Ways ways(double bytes_per_unit, const std::function<double(LinkId)>& bytes_on) const;

private:
  using Path = std::vector<std::pair<LinkId, double>>;
  Bundle bundle(const Path& path, double load, const std::vector<LinkId>& links) const;

  struct Ends {
    SwitchId from, to;
  };
  std::vector<Ends> ends_;  // by LinkId; of cables between switches
  std::map<Path, double> bytes_;
  std::size_t cables_ = 0;
};

}  // namespace trainyard
