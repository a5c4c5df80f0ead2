#include "schedulers/slurm/passes/node_space.hpp"

#include <algorithm>

namespace trainyard::slurm {

namespace {

// A row begins at `time`, if the table reaches there.
void split_at(std::vector<SpaceRow>& rows, Time time) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].begin == time) return;
    if (rows[i].begin < time && time < rows[i].end) {
      SpaceRow later = rows[i];
      later.begin = time;
      rows[i].end = time;
      rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(later));
      return;
    }
  }
}

}  // namespace

void NodeSpace::reserve(Time begin, Time end, const NodeSet& nodes, int resolution) {
  begin = std::max(begin, rows_.front().begin);
  end = std::max(end, begin + resolution);
  split_at(rows_, begin);
  split_at(rows_, end);
  for (SpaceRow& row : rows_)
    if (row.begin >= begin && row.end <= end) row.nodes -= nodes;
  for (std::size_t i = 1; i < rows_.size();) {
    if (rows_[i - 1].nodes != rows_[i].nodes) {
      ++i;
      continue;
    }
    rows_[i - 1].end = rows_[i].end;
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

bool NodeSpace::overlaps(Time begin, Time end, const NodeSet& nodes) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const SpaceRow& row) {
    return row.end > begin && row.begin < end && !row.nodes.contains(nodes);
  });
}

}  // namespace trainyard::slurm
