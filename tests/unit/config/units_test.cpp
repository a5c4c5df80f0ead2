// Quantities as text: every unit, exact values, and the way back.
#include "config/units.hpp"

#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trainyard {
namespace {

Bytes bytes_of(const std::string& text) {
  std::string problem;
  const Bytes value = parse_bytes(text, problem);
  EXPECT_EQ(problem, "") << text;
  return value;
}

double seconds_of(const std::string& text) {
  std::string problem;
  const Seconds value = parse_seconds(text, problem);
  EXPECT_EQ(problem, "") << text;
  return in_seconds(value);
}

double bandwidth_of(const std::string& text) {
  std::string problem;
  const Bandwidth value = parse_bandwidth(text, problem);
  EXPECT_EQ(problem, "") << text;
  return in_bytes_per_second(value);
}

std::string bytes_problem(const std::string& text) {
  std::string problem;
  EXPECT_EQ(parse_bytes(text, problem), Bytes(0)) << text;
  return problem;
}

std::string time_problem(const std::string& text) {
  std::string problem;
  EXPECT_EQ(parse_seconds(text, problem), Seconds(0)) << text;
  return problem;
}

std::string bandwidth_problem(const std::string& text) {
  std::string problem;
  EXPECT_EQ(parse_bandwidth(text, problem), Bandwidth(0)) << text;
  return problem;
}

TEST(Units, DecimalSizesArePowersOfTenAndBinaryOnesOfTwo) {
  EXPECT_EQ(bytes_of("7 B"), bytes(7));
  EXPECT_EQ(bytes_of("7 kB"), bytes(7'000));
  EXPECT_EQ(bytes_of("7 MB"), bytes(7'000'000));
  EXPECT_EQ(bytes_of("7 GB"), bytes(7'000'000'000));
  EXPECT_EQ(bytes_of("7 TB"), bytes(7'000'000'000'000));
  EXPECT_EQ(bytes_of("7 KiB"), bytes(7LL << 10));
  EXPECT_EQ(bytes_of("7 MiB"), bytes(7LL << 20));
  EXPECT_EQ(bytes_of("7 GiB"), bytes(7LL << 30));
  EXPECT_EQ(bytes_of("7 TiB"), bytes(7LL << 40));
}

TEST(Units, TimesAreTheDoublesNearestToThem) {
  EXPECT_EQ(seconds_of("3 ns"), 3e-9);
  EXPECT_EQ(seconds_of("3 us"), 3e-6);
  EXPECT_EQ(seconds_of("3 ms"), 3e-3);
  EXPECT_EQ(seconds_of("3 s"), 3);
  EXPECT_EQ(seconds_of("3 min"), 180);
  EXPECT_EQ(seconds_of("3 h"), 10800);
  EXPECT_EQ(seconds_of("3 d"), 259200);
}

TEST(Units, BandwidthsAreBytesOrBitsPerSecond) {
  EXPECT_EQ(bandwidth_of("8 B/s"), 8);
  EXPECT_EQ(bandwidth_of("8 kB/s"), 8e3);
  EXPECT_EQ(bandwidth_of("8 MB/s"), 8e6);
  EXPECT_EQ(bandwidth_of("8 GB/s"), 8e9);
  EXPECT_EQ(bandwidth_of("8 TB/s"), 8e12);
  EXPECT_EQ(bandwidth_of("8 KiB/s"), 8192);
  EXPECT_EQ(bandwidth_of("8 MiB/s"), 8388608);
  EXPECT_EQ(bandwidth_of("8 GiB/s"), 8589934592);
  EXPECT_EQ(bandwidth_of("8 bit/s"), 1);
  EXPECT_EQ(bandwidth_of("8 kbit/s"), 1e3);
  EXPECT_EQ(bandwidth_of("8 Mbit/s"), 1e6);
  EXPECT_EQ(bandwidth_of("8 Gbit/s"), 1e9);
  EXPECT_EQ(bandwidth_of("8 Tbit/s"), 1e12);
  EXPECT_EQ(bandwidth_of("400 Gbit/s"), bandwidth_of("50 GB/s"));
}

TEST(Units, TheSpaceIsOptionalAndNumbersMayHaveFractionsAndExponents) {
  EXPECT_EQ(bytes_of("64MiB"), mebibytes(64));
  EXPECT_EQ(bytes_of("  1.5   GiB "), mebibytes(1536));
  EXPECT_EQ(bytes_of("1e3 B"), bytes(1000));
  EXPECT_EQ(bytes_of("-5 MiB"), mebibytes(-5));
  EXPECT_EQ(seconds_of("1e-3s"), 1e-3);
}

TEST(Units, ABareNumberIsAnErrorThatNamesTheUnits) {
  EXPECT_EQ(bytes_problem("64"), "'64' has no unit; units: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
  EXPECT_EQ(time_problem("0"), "'0' has no unit; units: ns, us, ms, s, min, h, d");
}

TEST(Units, AnUnknownUnitIsAnErrorWithANearMatch) {
  EXPECT_EQ(bytes_problem("64 mib"), "'64 mib': unknown unit 'mib'; did you mean 'MiB'?");
  EXPECT_EQ(time_problem("2 mins"), "'2 mins': unknown unit 'mins'; did you mean 'min'?");
  EXPECT_EQ(time_problem("2 years"),
            "'2 years': unknown unit 'years'; known: ns, us, ms, s, min, h, d");
}

TEST(Units, BitsAreNeverGuessedToBeBytes) {
  EXPECT_EQ(bandwidth_problem("400 Gb/s"),
            "'400 Gb/s': unknown unit 'Gb/s'; bits are 'Gbit/s', bytes are 'GB/s'");
  EXPECT_EQ(bandwidth_problem("400 Gbps"),
            "'400 Gbps': unknown unit 'Gbps'; bits are 'Gbit/s', bytes are 'GB/s'");
}

TEST(Units, WhatIsNotANumberIsAnError) {
  for (const char* text : {"", "MiB", "five MiB", "1.2.3 MiB", "inf B", "nan B", "1e999 B", "e B"})
    EXPECT_EQ(bytes_problem(text),
              "'" + std::string(text) +
                  "' is not a number with a unit; units: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
}

TEST(Units, BytesAreWholeAndFitSixtyFourBits) {
  EXPECT_EQ(bytes_problem("0.5 B"), "'0.5 B' is not a whole number of bytes below 8 EiB");
  EXPECT_EQ(bytes_problem("9e9 TiB"), "'9e9 TiB' is not a whole number of bytes below 8 EiB");
  EXPECT_EQ(bytes_of("9007199254740993 B").count(), 9007199254740993);  // 2^53 + 1
}

TEST(UnitsAsText, UseTheShortestFormAndTheLargestUnit) {
  EXPECT_EQ(to_text(mebibytes(64)), "64 MiB");
  EXPECT_EQ(to_text(bytes(64'000'000)), "64 MB");
  EXPECT_EQ(to_text(bytes(0)), "0 B");
  EXPECT_EQ(to_text(microseconds(2)), "2 us");
  EXPECT_EQ(to_text(minutes(30)), "30 min");
  EXPECT_EQ(to_text(hours(36)), "36 h");
  EXPECT_EQ(to_text(days(154)), "154 d");
  EXPECT_EQ(to_text(gigabits_per_second(400)), "50 GB/s");
}

double random_magnitude(RandomStream& random) {
  const double value = std::exp2(random.uniform() * 100 - 40);
  return random.below(2) == 0 ? value : std::round(value);
}

TEST(UnitsAsText, ReadBackAsTheSameQuantity) {
  RandomStream random = RandomSource(11).stream("quantities");
  for (int i = 0; i < 20000; ++i) {
    const double value = random_magnitude(random);
    EXPECT_EQ(seconds_of(to_text(Seconds(value))), value);
    EXPECT_EQ(bandwidth_of(to_text(Bandwidth(value))), value);
    const Bytes size(static_cast<std::int64_t>(random.below(1ULL << (1 + random.below(62)))));
    EXPECT_EQ(bytes_of(to_text(size)), size);
  }
}

}  // namespace
}  // namespace trainyard
