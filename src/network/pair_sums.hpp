// What many transfers between the members of one group add up to, for routings that take some of
// them the same way.
#pragma once

#include "network/link_loads.hpp"
#include "network/node_paths.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace trainyard {

// A transfer between boxes is three parts: to a NIC, from its leaf through the fabric, from a NIC.
// The first is added up source by source, the last destination by destination, and the fabric by
// bundles. INVARIANT: the slowest of transfers that differ only in their source is one of them with
// the slowest way to the NIC.
class PairSums {
public:
  // A rank: everyone else has `bytes` for it. The members of one box lie side by side.
  struct Member {
    GpuId gpu;
    Bytes bytes;
    std::int64_t box;
  };
  using Members = std::vector<Member>;
  PairSums(LinkLoads& loads, const NodePaths& nodes) : loads_(loads), nodes_(nodes) {}

  void add(Members members) {
    const auto by_box = [](const Member& a, const Member& b) { return a.box < b.box; };
    std::stable_sort(members.begin(), members.end(), by_box);
    const std::vector<Box> boxes = boxes_of(members);
    for (const Box& box : boxes) add_inside(box);
    if (boxes.size() == 1) return;
    std::map<std::int64_t, Members> places;  // in the order of boxes
    for (const Member& member : members) places[nodes_.place(member.gpu)].push_back(member);
    for (const auto& [id, place] : places) {
      const std::vector<Door> doors = leave_for(place, boxes);
      for (const Box& destinations : boxes_of(place)) add_fabric(doors, destinations);
    }
    for (const Box& box : boxes) add_arrivals(box, members.size());
    flush();
  }

private:
  struct Box {
    const Member *first, *last;
    const Member* begin() const { return first; }
    const Member* end() const { return last; }
    std::int64_t id() const { return first->box; }
  };

  // One source's way to a NIC.
  struct Exit {
    GpuId from, sender;  // the sender has the NIC
    std::int64_t box;    // of both
    Seconds time;
  };
  // The ways to the NICs of one leaf.
  struct Door {
    SwitchId leaf;
    std::vector<Exit> exits;
  };
  // All traffic that takes one way through the fabric, and a pair that does.
  struct Bundle {
    GpuId sender, to;
    Load load;
  };

  static std::vector<Box> boxes_of(const Members& members) {
    std::vector<Box> boxes;
    const Member* const end = members.data() + members.size();
    for (const Member* first = members.data(); first != end; first = boxes.back().last)
      boxes.push_back({first, std::find_if(first, end, [&](const Member& member) {
                         return member.box != first->box;
                       })});
    return boxes;
  }

  void add_inside(const Box& box) {
    for (const Member& to : box)
      for (const Member& from : box)
        if (&from != &to) loads_.add(from.gpu, to.gpu, to.bytes);
  }

  // To the NICs, with what every source has for the members of one place that are in other boxes.
  std::vector<Door> leave_for(const Members& place, const std::vector<Box>& boxes) {
    std::vector<Door> doors;
    std::map<SwitchId, std::size_t> door_at;
    for (const Box& box : boxes) {
      Load outside;
      const Member* some = nullptr;
      for (const Member& to : place) {
        if (to.box == box.id()) continue;
        outside += loads_.load(to.bytes);
        some = &to;
      }
      if (some == nullptr) continue;
      for (const Member& from : box) {
        const Exit exit = leave(from, *some, outside);
        const SwitchId leaf = nic(exit.sender).leaf;
        const auto [at, is_new] = door_at.emplace(leaf, doors.size());
        if (is_new) doors.push_back({leaf, {}});
        doors[at->second].exits.push_back(exit);
      }
    }
    return doors;
  }

  Exit leave(const Member& from, const Member& to, const Load& load) {
    Exit exit = {from.gpu, nodes_.leaves_by(from.gpu, to.gpu), from.box, Seconds()};
    const auto cross = [&](LinkId link) {
      loads_.add({link}, load);
      exit.time += platform_.links[link.index()].latency;
    };
    if (exit.sender != exit.from) nodes_.between(exit.from, exit.sender, cross);
    if (!gpu(exit.sender).nic.valid() || !gpu(to.gpu).nic.valid())
      throw unreachable(platform_, from.gpu, to.gpu);
    nodes_.to_nic(exit.sender, nic(exit.sender), cross);
    cross(nic(exit.sender).up);
    return exit;
  }

  void add_arrivals(const Box& box, std::size_t members) {
    const auto senders =
        static_cast<double>(members - static_cast<std::size_t>(box.last - box.first));
    for (const Member& to : box) {
      const Load load = loads_.load(to.bytes, senders);
      const auto cross = [&](LinkId link) { loads_.add({link}, load); };
      cross(nic(to.gpu).down);
      nodes_.from_nic(nic(to.gpu), to.gpu, cross);
    }
  }

  // From all doors to destinations of one box and place.
  void add_fabric(const std::vector<Door>& doors, const Box& destinations) {
    for (const Door& door : doors) {
      const Exit* slowest = nullptr;
      int senders = 0;
      for (const Exit& exit : door.exits) {
        if (exit.box == destinations.id()) continue;
        ++senders;
        if (slowest == nullptr || slowest->time < exit.time) slowest = &exit;
      }
      if (slowest == nullptr) continue;
      for (const Member& to : destinations) {
        loads_.at_least(routing_.latency(slowest->from, to.gpu));
        if (to.bytes.count() > 0) add_to(door, *slowest, to, senders);
      }
    }
  }

  void add_to(const Door& door, const Exit& some, const Member& to, int senders) {
    const Alike alike = routing_.alike();
    if (alike == Alike::ToDestination) {
      cross_fabric({some.sender, to.gpu, loads_.load(to.bytes, senders)}, 0);
    } else if (alike == Alike::BetweenLeaves) {
      Bundle& bundle = bundles_[{door.leaf, nic(to.gpu).leaf}];
      bundle.sender = some.sender;
      bundle.to = to.gpu;
      bundle.load += loads_.load(to.bytes, senders);
    } else {
      const int queue_pairs = routing_.queue_pairs();
      const double bytes = static_cast<double>(to.bytes.count()) / queue_pairs;
      for (const Exit& exit : door.exits)
        for (int pair = 0; exit.box != to.box && pair < queue_pairs; ++pair)
          cross_fabric({exit.sender, to.gpu, {bytes, 1, bytes}}, pair);
    }
  }

  // The links between the NICs: all but the ends of the path.
  void cross_fabric(const Bundle& bundle, int queue_pair) {
    std::ptrdiff_t before = 1, after = 1;  // the NICs' own
    nodes_.to_nic(bundle.sender, nic(bundle.sender), [&](LinkId) { ++before; });
    nodes_.from_nic(nic(bundle.to), bundle.to, [&](LinkId) { ++after; });
    path_.clear();
    routing_.append_path(bundle.sender, bundle.to, queue_pair, path_);
    const LinkShare* const begin = path_.data();
    loads_.add(begin + before, begin + path_.size() - after, bundle.load);
  }

  void flush() {
    for (const auto& [leaves, bundle] : bundles_) cross_fabric(bundle, 0);
    bundles_.clear();
  }

  const Gpu& gpu(GpuId id) const { return platform_.gpus[id.index()]; }
  const Nic& nic(GpuId id) const { return platform_.nics[gpu(id).nic.index()]; }

  LinkLoads& loads_;
  const NodePaths& nodes_;
  const Platform& platform_ = loads_.platform();
  const Routing& routing_ = loads_.routing();
  std::map<std::pair<SwitchId, SwitchId>, Bundle> bundles_;
  std::vector<LinkShare> path_;
};

}  // namespace trainyard
