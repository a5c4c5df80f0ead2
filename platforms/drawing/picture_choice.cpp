// What of a large platform is shown, and where.
#include "platforms/drawing/picture_parts.hpp"

#include <algorithm>
#include <set>

namespace trainyard::drawing {

namespace {

constexpr std::size_t kMost = 8;  // boxes of a row

// Of many, the first five and the last two.
template <typename Id>
std::vector<Id> some(const std::vector<Id>& all) {
  if (all.size() <= kMost) return all;
  std::vector<Id> few(all.begin(), all.begin() + 5);
  few.insert(few.end(), all.end() - 2, all.end());
  return few;
}

}  // namespace

template <typename Id>
void Picture::place(const std::vector<Id>& ids, std::map<Id, Spot>& spots, double y,
                    std::size_t all) {
  const bool gap = ids.size() < all;  // one place is left for what is not shown
  const double places = static_cast<double>(ids.size() + (gap ? 1 : 0));
  const double step = (kRight - kLeft) / places;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const double at = static_cast<double>(gap && i + 2 >= ids.size() ? i + 1 : i);
    spots[ids[i]] = {kLeft + step * (at + 0.5), y, std::min(112.0, step - 8)};
  }
  if (!gap) return;
  const double middle = kLeft + step * (places - 2.5);
  svg_.text(middle, y + 14, "...", {18, kGrey, "middle", true});
  svg_.text(middle, y + 32, std::to_string(all - ids.size()) + " more", {11, kGrey, "middle"});
}

// First those that hang below the switches that are shown.
std::vector<NodeId> Picture::chosen_nodes() const {
  std::map<SwitchId, int> taken;
  std::set<NodeId> chosen;
  const std::size_t all = platform_.nodes.size();
  for (const Nic& nic : platform_.nics) {
    if (all <= kMost || chosen.size() + 1 >= kMost) break;
    if (switches_.count(nic.leaf) != 0 && taken[nic.leaf]++ < 2) chosen.insert(nic.node);
  }
  std::vector<NodeId> ids;
  for (std::size_t i = 0; i < all; ++i) ids.emplace_back(static_cast<std::int64_t>(i));
  if (all <= kMost || platform_.nics.empty()) return some(ids);
  chosen.insert(ids.back());
  return {chosen.begin(), chosen.end()};
}

void Picture::choose() {
  for (std::size_t i = 0; i < platform_.switches.size(); ++i)
    levels_[platform_.switches[i].level].emplace_back(static_cast<std::int64_t>(i));
  double y = kTop;
  for (const auto& [level, ids] : levels_) {
    place(some(ids), switches_, y, ids.size());
    y += kRowHeight;
  }
  place(chosen_nodes(), nodes_, y, platform_.nodes.size());
}

}  // namespace trainyard::drawing
