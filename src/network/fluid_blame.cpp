// Whose fault a slow flow is: those whose bytes fill the link that holds it back.
//
// INVARIANT: between two solutions of the rates a flow's rivals and their shares are constant; what
// it loses is put on their accounts when its progress is brought up to the clock (accrue()).
#include "network/fluid.hpp"

#include <algorithm>

namespace trainyard {

std::size_t Fluid::blame_entry(const RivalKey& key, DomainState& domain) {
  const auto found = std::find_if(domain.blame.begin(), domain.blame.end(), [&key](const auto& e) {
    return e.first.link == key.link && e.first.rival == key.rival;
  });
  const auto entry = static_cast<std::size_t>(found - domain.blame.begin());
  if (found == domain.blame.end()) domain.blame.emplace_back(key, 0);
  return entry;
}

double Fluid::load_on(LinkId link, MaxMin::Key key) const {
  for (const MaxMin::User& user : solver_.users(link))
    if (user.key == key) return user.load;
  return 0;
}

// Who else moves bytes over the link that holds the items back, in proportion. An item's own
// domain's flows take their part of the slow-down but are no rivals: they slow the job down in
// isolation too.
void Fluid::note_rivals(LinkId link, const Held* first, const Held* last) {
  double all = 0;
  carried_.clear();  // by domain
  for (const MaxMin::User& user : solver_.users(link)) {
    const Item& item = items_[at(item_of_key_[at(user.key)])];
    all += item.rate * user.load;
    const auto known = std::find_if(carried_.begin(), carried_.end(),
                                    [&item](const auto& c) { return c.first == item.domain; });
    if (known == carried_.end())
      carried_.emplace_back(item.domain, item.rate * user.load);
    else
      known->second += item.rate * user.load;
  }
  if (carried_.size() < 2) return;
  for (const Held* held = first; held != last; ++held) {
    const Item& item = items_[at(held->item)];
    DomainState& domain = state_of(item.domain);
    const double others = all - item.rate * load_on(link, item.key);
    for (const auto& [rival, rate] : carried_) {
      if (rival == item.domain) continue;
      const RivalKey key{rival, link};
      rivals_[at(held->item)].push_back({key, rate / others, blame_entry(key, domain)});
    }
  }
}

// Of the flows that were solved; link by link, because many are held back by the same one.
void Fluid::note_all_rivals(const std::vector<MaxMin::Key>& solved) {
  held_.clear();
  for (const MaxMin::Key key : solved) {
    const std::int32_t id = item_of_key_[at(key)];
    rivals_[at(id)].clear();
    const LinkId link = solver_.bottleneck(key);
    if (link.valid()) held_.push_back({link, id});
  }
  std::sort(held_.begin(), held_.end(), [](const Held& a, const Held& b) {
    return a.link != b.link ? a.link < b.link : a.item < b.item;
  });
  for (std::size_t first = 0, last = 0; first < held_.size(); first = last) {
    while (last < held_.size() && held_[last].link == held_[first].link) ++last;
    note_rivals(held_[first].link, held_.data() + first, held_.data() + last);
  }
}

Blame Fluid::take_blame(Domain domain) {
  Blame taken;
  if (at(domain + 1) >= domains_.size()) return taken;
  DomainState& state = state_of(domain);
  const auto flowing = [this](std::int32_t id) {
    return items_[at(id)].kind == Kind::Flow && items_[at(id)].key >= 0;
  };
  for (const std::int32_t id : state.items)
    if (flowing(id)) accrue(id);
  for (const auto& [key, lost] : state.blame)
    if (lost > 0) taken.emplace(key, lost);
  state.blame.clear();
  for (const std::int32_t id : state.items)
    if (flowing(id))
      for (Rival& rival : rivals_[at(id)]) rival.entry = blame_entry(rival.key, state);
  return taken;
}

}  // namespace trainyard
