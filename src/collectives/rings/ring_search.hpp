// The rings that an irregular mesh of links allows: what NCCL searches for inside a node.
//
// A pure function of the links. Rings share no link (a pair with two links may be used by two), and
// the most bandwidth together wins. Only if there is none over direct links, a pair without one may
// be joined through a third member, whose links then carry it (NCCL's NVB distance).
#pragma once

#include "collectives/collective.hpp"

#include <vector>

namespace trainyard {

struct LinkMatrix {
  int members = 0;
  std::vector<Bandwidth> between;  // from*members+to, one direction

  Bandwidth at(int from, int to) const {
    return between[static_cast<std::size_t>(from) * static_cast<std::size_t>(members) +
                   static_cast<std::size_t>(to)];
  }
};

struct FoundRings {
  std::vector<Ring> rings;  // a ring of all members each; none: the mesh has no way round
  Bandwidth each;           // what a ring carries
  bool relayed = false;     // some pairs are joined through a third member

  Bandwidth total() const { return static_cast<double>(rings.size()) * each; }
};

FoundRings find_rings(const LinkMatrix& links);

}  // namespace trainyard
