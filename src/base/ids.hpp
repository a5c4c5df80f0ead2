// Ids: one integer type per kind of thing, so that a NIC's number is never taken for a GPU's.
//
// Ids are dense (0, 1, 2, ... in the order of creation): a vector indexed by `index()` is their
// map. The order of ids is the order in which everything is iterated and in which ties in time
// break.
#pragma once

#include <cstddef>
#include <cstdint>

namespace trainyard {

template <typename Tag>
class Id {
public:
  constexpr Id() = default;
  constexpr explicit Id(std::int64_t value) : value_(static_cast<std::int32_t>(value)) {}
  constexpr std::int32_t value() const { return value_; }
  constexpr std::size_t index() const { return static_cast<std::size_t>(value_); }
  constexpr bool valid() const { return value_ >= 0; }
  friend constexpr bool operator==(Id a, Id b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(Id a, Id b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(Id a, Id b) { return a.value_ < b.value_; }
  friend constexpr bool operator>(Id a, Id b) { return a.value_ > b.value_; }
  friend constexpr bool operator<=(Id a, Id b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>=(Id a, Id b) { return a.value_ >= b.value_; }

private:
  std::int32_t value_ = -1;
};

using GpuId = Id<struct GpuTag>;
using NicId = Id<struct NicTag>;
using NodeId = Id<struct NodeTag>;
using SwitchId = Id<struct SwitchTag>;
using LinkId = Id<struct LinkTag>;
using DomainId = Id<struct DomainTag>;  // an NVLink domain
using PcieId = Id<struct PcieTag>;      // a PCIe switch inside a node
using JobId = Id<struct JobTag>;
using Rank = Id<struct RankTag>;  // a position in a communicator, 0 .. ranks-1

}  // namespace trainyard
