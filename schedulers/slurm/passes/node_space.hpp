// Backfill's table of the future: rows of time, each with the nodes that nobody has reserved in it.
//
// INVARIANT: the rows follow one another without gaps from the start of the cycle to the end of the
// window.
#pragma once

#include "schedulers/slurm/job/record.hpp"

#include <vector>

namespace trainyard::slurm {

struct SpaceRow {
  Time begin = 0, end = 0;
  NodeSet nodes;
};

class NodeSpace {
public:
  NodeSpace(Time begin, Time end, const NodeSet& nodes) : rows_{{begin, end, nodes}} {}

  // Takes the nodes out of [begin, end), at least one `resolution` long.
  void reserve(Time begin, Time end, const NodeSet& nodes, int resolution);

  // Whether some of the nodes are reserved in [begin, end).
  bool overlaps(Time begin, Time end, const NodeSet& nodes) const;

  const std::vector<SpaceRow>& rows() const { return rows_; }

private:
  std::vector<SpaceRow> rows_;
};

}  // namespace trainyard::slurm
