// Dates of traces, by the calendar's own rules.
#include "workload/importers/jobs/dates.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

constexpr double kDay = 86400;

TEST(Dates, CountFrom1970) {
  EXPECT_EQ(parse_date("1970-01-01 00:00:00"), 0.0);
  EXPECT_EQ(parse_date("1970-01-02T00:00:01"), kDay + 1);
  EXPECT_EQ(parse_date("2000-01-01 00:00"), (30 * 365 + 7) * kDay);  // leap: 72, 76, .. 96
}

TEST(Dates, KnowLeapYears) {
  EXPECT_EQ(*parse_date("2020-03-01 00:00:00") - *parse_date("2020-02-28 00:00:00"), 2 * kDay);
  EXPECT_EQ(*parse_date("2100-03-01 00:00:00") - *parse_date("2100-02-28 00:00:00"), kDay);
  EXPECT_FALSE(parse_date("2021-02-29 00:00:00"));
}

TEST(Dates, InDifferentZonesAreTheSameTime) {
  EXPECT_EQ(parse_date("2023-03-01 08:30:00+08:00"), parse_date("2023-03-01 00:30:00Z"));
  EXPECT_EQ(parse_date("2023-03-01 00:30:00-01:30"), parse_date("2023-03-01 02:00:00"));
}

TEST(Dates, AreNothingElse) {
  for (const char* text : {"", "2020", "2020-13-01 00:00:00", "2020-01-01", "2020-01-01 24:00:00",
                           "2020-01-01 00:00:00x", "2020/01/01 00:00:00", "Unknown"})
    EXPECT_FALSE(parse_date(text)) << text;
}

}  // namespace
}  // namespace trainyard
