// Backfill's table of the future: rows of time, each with the nodes that nobody has reserved in it.
//
// INVARIANTS: the rows follow one another without gaps from the start of the cycle to the end of
// the window; neighbours differ; rows only lose nodes.
#pragma once

#include "schedulers/slurm/job/record.hpp"

#include <vector>

namespace trainyard::slurm {

struct SpaceRow {
  Time begin = 0, end = 0;
  NodeSet nodes;
  bool releases = false;  // the next row has nodes that this one has not
};

class NodeSpace {
public:
  NodeSpace(Time begin, Time end, const NodeSet& nodes) : rows_{{begin, end, nodes, false}} {}

  // Takes the nodes out of [begin, end), at least one `resolution` long.
  void reserve(Time begin, Time end, const NodeSet& nodes, int resolution);

  // Whether some of the nodes are reserved in [begin, end).
  bool overlaps(Time begin, Time end, const NodeSet& nodes) const;

  // Leaves those nodes that are free in all rows of [start, end]: a row that begins at `end`
  // counts.
  void keep_free(NodeSet& nodes, Time start, Time end) const;

  // The first end of a row, of those that a job would see that runs from `start` to `end`, at which
  // nodes of `base` become free; 0 if there is none.
  Time next_release(const NodeSet& base, Time start, Time end) const;

  // When, after `time`, one of the nodes is first reserved; 0: never.
  Time first_taken(const NodeSet& nodes, Time time) const;

  const std::vector<SpaceRow>& rows() const { return rows_; }

private:
  std::size_t row_at(Time time) const;  // the first that ends later
  std::size_t split_at(Time time);      // the row that begins then, or the number of rows
  void mark_releases(std::size_t first, std::size_t last);

  std::vector<SpaceRow> rows_;
};

}  // namespace trainyard::slurm
