// Names in few words, as host lists: "node[0-15]/nic[0-7],login1".
//
// INVARIANT: expand_hostlist() of a name list is the names, in their order.
#pragma once

#include <string>
#include <vector>

namespace trainyard {

std::string to_name_list(const std::vector<std::string>& names);

// Names that differ in one number, which grows by one from each to the next.
class NameSeries {
public:
  explicit NameSeries(std::string first) : first_(std::move(first)) {}
  bool extend(const std::string& next);  // whether `next` continues the series
  std::string text() const;              // "leaf[0-3]", or the only name

private:
  // Where the number stands in `first_`; digits inside brackets do not count.
  struct Slot {
    std::size_t begin = 0, end = 0;
  };
  std::vector<Slot> slots() const;
  std::string name(const Slot& slot, std::size_t step) const;
  std::string number(const Slot& slot, std::size_t step) const;

  std::string first_;
  std::size_t count_ = 1;
  Slot slot_;
};

}  // namespace trainyard
