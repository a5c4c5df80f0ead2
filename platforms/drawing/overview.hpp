// A platform folded for looking at: what is alike stands together, counted.
//
// Both the text of `trainyard platform show` and its drawing are made of this. Everything is in the
// order of ids, so that the same platform gives the same overview.
#pragma once

#include "platforms/platform.hpp"

#include <string>
#include <vector>

namespace trainyard {

// Switches of one level with as many cables of each sort, all together as fast.
struct SwitchRow {
  int level = 1;
  std::vector<SwitchId> switches;
  int nics = 0, down = 0, up = 0, across = 0;  // cables of each
  int parents = 0;                             // different switches above
  Bandwidth from_nics, from_below, upwards;    // of each, all its cables together
};

// Nodes with as many GPUs and NICs, as fast.
struct NodeRow {
  std::vector<NodeId> nodes;
  int gpus = 0, nics = 0;
  Bandwidth nvlink;    // of the first GPU, all its links together; zero: none
  bool pairs = false;  // NVLinks join GPUs directly, without a switch
  Bandwidth pcie;      // of the first GPU; zero: not described
  Bandwidth from_nics;
};

// Links that look alike.
struct LinkKind {
  LinkClass link_class = LinkClass::Plain;
  int level = 0;
  Bandwidth bandwidth;
  int links = 0;  // one direction each
};

struct Overview {
  std::vector<SwitchRow> switches;  // the top level first
  std::vector<NodeRow> nodes;
  std::vector<LinkKind> links;
};

Overview overview_of(const Platform& platform);

// For the eye: four digits in a unit of thousands, "370.8 GB/s".
std::string readable(Bandwidth rate);

// What each of a row has: "8 NICs (400 GB/s), 8 up to 4 switches (200 GB/s), 2:1".
std::string description(const SwitchRow& row);
std::string description(const NodeRow& row);

// A name of at most so many bytes, its middle left out if need be: "MF0..L01_U1".
std::string shortened(const std::string& name, std::size_t most);

// "leaf0", "leaf0 leaf1", "leaf0 .. leaf31"; each name shortened.
template <typename Id, typename Thing>
std::string span_of(const std::vector<Id>& ids, const std::vector<Thing>& things) {
  constexpr std::size_t kMost = 16;
  std::string first = shortened(things[ids.front().index()].name, kMost);
  if (ids.size() == 1) return first;
  return first + (ids.size() == 2 ? " " : " .. ") +
         shortened(things[ids.back().index()].name, kMost);
}

}  // namespace trainyard
