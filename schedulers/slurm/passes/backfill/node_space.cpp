#include "schedulers/slurm/passes/backfill/node_space.hpp"

#include <algorithm>

namespace trainyard::slurm {

std::size_t NodeSpace::row_at(Time time) const {
  const auto found = std::partition_point(rows_.begin(), rows_.end(),
                                          [&](const SpaceRow& row) { return row.end <= time; });
  return static_cast<std::size_t>(found - rows_.begin());
}

std::size_t NodeSpace::split_at(Time time) {
  const std::size_t i = row_at(time);
  if (i == rows_.size() || rows_[i].begin >= time) return i;
  SpaceRow later = rows_[i];
  later.begin = time;
  rows_[i].end = time;
  rows_[i].releases = false;
  rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(later));
  return i + 1;
}

void NodeSpace::mark_releases(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    rows_[i].releases = i + 1 < rows_.size() && !rows_[i].nodes.contains(rows_[i + 1].nodes);
}

void NodeSpace::reserve(Time begin, Time end, const NodeSet& nodes, int resolution) {
  begin = std::max(begin, rows_.front().begin);
  end = std::max(end, begin + resolution);
  const std::size_t first = split_at(begin);
  std::size_t last = split_at(end);
  for (std::size_t i = first; i < last; ++i) rows_[i].nodes -= nodes;
  // Rows outside have not changed: only from one before to one after can neighbours be equal.
  const std::size_t from = first > 0 ? first - 1 : 0;
  for (std::size_t i = from + 1; i < rows_.size() && i <= last;) {
    if (rows_[i - 1].nodes != rows_[i].nodes) {
      ++i;
      continue;
    }
    rows_[i - 1].end = rows_[i].end;
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(i));
    --last;
  }
  mark_releases(from, std::min(last + 1, rows_.size()));
}

bool NodeSpace::overlaps(Time begin, Time end, const NodeSet& nodes) const {
  for (std::size_t i = row_at(begin); i < rows_.size() && rows_[i].begin < end; ++i)
    if (!rows_[i].nodes.contains(nodes)) return true;
  return false;
}

void NodeSpace::keep_free(NodeSet& nodes, Time start, Time end) const {
  for (std::size_t i = row_at(start); i < rows_.size() && rows_[i].begin <= end; ++i)
    nodes &= rows_[i].nodes;
}

Time NodeSpace::first_taken(const NodeSet& nodes, Time time) const {
  for (std::size_t i = row_at(time); i < rows_.size(); ++i)
    if (rows_[i].begin > time && !rows_[i].nodes.contains(nodes)) return rows_[i].begin;
  return 0;
}

// Slurm compares what the next row offers with what is free in all rows up to here. Before the
// first release those only lose nodes, so the row itself is what is free.
Time NodeSpace::next_release(const NodeSet& base, Time start, Time end) const {
  for (std::size_t i = row_at(start); i + 1 < rows_.size(); ++i) {
    if (rows_[i].releases && !rows_[i].nodes.contains_common(base, rows_[i + 1].nodes))
      return rows_[i].end;
    if (rows_[i].begin > end) break;
  }
  return 0;
}

}  // namespace trainyard::slurm
