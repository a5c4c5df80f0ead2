// Quantities: numbers that know their unit, so that only meaningful arithmetic compiles.
//
// Bytes are whole; Seconds and Bandwidth are doubles in SI units. GB is 10^9 and GiB is 2^30. A
// number gets its unit where it enters (named factories) and loses it where it leaves (in_...()).
#pragma once

#include <cstdint>
#include <limits>

namespace trainyard {

template <typename Tag>
class Quantity {
public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double si) : si_(si) {}
  constexpr double si() const { return si_; }

  constexpr Quantity& operator+=(Quantity other) { return si_ += other.si_, *this; }
  constexpr Quantity& operator-=(Quantity other) { return si_ -= other.si_, *this; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.si_ + b.si_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.si_ - b.si_); }
  friend constexpr Quantity operator*(Quantity a, double k) { return Quantity(a.si_ * k); }
  friend constexpr Quantity operator*(double k, Quantity a) { return Quantity(a.si_ * k); }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity(a.si_ / k); }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.si_ / b.si_; }
  friend constexpr bool operator==(Quantity a, Quantity b) { return a.si_ == b.si_; }
  friend constexpr bool operator!=(Quantity a, Quantity b) { return a.si_ != b.si_; }
  friend constexpr bool operator<(Quantity a, Quantity b) { return a.si_ < b.si_; }
  friend constexpr bool operator>(Quantity a, Quantity b) { return a.si_ > b.si_; }
  friend constexpr bool operator<=(Quantity a, Quantity b) { return a.si_ <= b.si_; }
  friend constexpr bool operator>=(Quantity a, Quantity b) { return a.si_ >= b.si_; }

private:
  double si_ = 0;
};

using Seconds = Quantity<struct SecondsTag>;
using Bandwidth = Quantity<struct BandwidthTag>;  // bytes per second, one direction

class Bytes {
public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::int64_t count) : count_(count) {}
  constexpr std::int64_t count() const { return count_; }

  constexpr Bytes& operator+=(Bytes other) { return count_ += other.count_, *this; }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes(a.count_ + b.count_); }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes(a.count_ - b.count_); }
  friend constexpr Bytes operator*(Bytes a, std::int64_t k) { return Bytes(a.count_ * k); }
  friend constexpr Bytes operator*(std::int64_t k, Bytes a) { return Bytes(a.count_ * k); }
  friend constexpr Bytes operator/(Bytes a, std::int64_t k) { return Bytes(a.count_ / k); }
  friend constexpr bool operator==(Bytes a, Bytes b) { return a.count_ == b.count_; }
  friend constexpr bool operator!=(Bytes a, Bytes b) { return a.count_ != b.count_; }
  friend constexpr bool operator<(Bytes a, Bytes b) { return a.count_ < b.count_; }
  friend constexpr bool operator>(Bytes a, Bytes b) { return a.count_ > b.count_; }
  friend constexpr bool operator<=(Bytes a, Bytes b) { return a.count_ <= b.count_; }
  friend constexpr bool operator>=(Bytes a, Bytes b) { return a.count_ >= b.count_; }

private:
  std::int64_t count_ = 0;
};

// Divided, not multiplied by 1e-6: 1e6 is exact in a double, so "3 us" is the double nearest to it.
constexpr Seconds seconds(double n) { return Seconds(n); }
constexpr Seconds milliseconds(double n) { return Seconds(n / 1e3); }
constexpr Seconds microseconds(double n) { return Seconds(n / 1e6); }
constexpr Seconds nanoseconds(double n) { return Seconds(n / 1e9); }
constexpr Seconds minutes(double n) { return Seconds(n * 60); }
constexpr Seconds hours(double n) { return Seconds(n * 3600); }
constexpr Seconds days(double n) { return Seconds(n * 86400); }
constexpr Seconds forever() { return Seconds(std::numeric_limits<double>::infinity()); }
constexpr double in_seconds(Seconds t) { return t.si(); }
constexpr double in_milliseconds(Seconds t) { return t.si() * 1e3; }
constexpr double in_microseconds(Seconds t) { return t.si() * 1e6; }

constexpr Bytes bytes(std::int64_t n) { return Bytes(n); }
constexpr Bytes kibibytes(std::int64_t n) { return Bytes(n << 10); }
constexpr Bytes mebibytes(std::int64_t n) { return Bytes(n << 20); }
constexpr Bytes gibibytes(std::int64_t n) { return Bytes(n << 30); }

constexpr Bandwidth bytes_per_second(double n) { return Bandwidth(n); }
constexpr Bandwidth gigabytes_per_second(double n) { return Bandwidth(n * 1e9); }
constexpr Bandwidth gigabits_per_second(double n) { return Bandwidth(n * 1e9 / 8); }
constexpr double in_bytes_per_second(Bandwidth b) { return b.si(); }
constexpr double in_gigabytes_per_second(Bandwidth b) { return b.si() / 1e9; }

constexpr Seconds operator/(Bytes size, Bandwidth rate) {
  return Seconds(static_cast<double>(size.count()) / rate.si());
}

}  // namespace trainyard
