// Text that other modules lean on: numbers that read back, near matches, UTF-8.
#include "base/text.hpp"

#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace trainyard {
namespace {

TEST(Shortest, ReadsBackAsTheSameDouble) {
  RandomStream random = RandomSource(1).stream("doubles");
  for (int i = 0; i < 10000; ++i) {
    const double value = std::exp2(random.normal(0, 200)) * (random.below(2) == 0 ? 1 : -1);
    EXPECT_EQ(parse_double(shortest(value)), value);
  }
}

TEST(Shortest, IsWhatAPersonWouldWrite) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(3), "3");
  EXPECT_EQ(shortest(-2.5), "-2.5");
}

TEST(Fixed, WritesNoNegativeZero) {
  EXPECT_EQ(fixed(-0.0001, 3), "0.000");
  EXPECT_EQ(fixed(-0.001, 3), "-0.001");
  EXPECT_EQ(fixed(2.0 / 3, 2), "0.67");
}

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_integer("+7"), 7);
  EXPECT_EQ(parse_integer("-7"), -7);
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"", "+", "-", "+-7", "7 ", " 7", "7x", "0x7", "9223372036854775808"})
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  for (const char* text : {"", "1.5.2", "1,5", "+-1", "1e", "one"})
    EXPECT_EQ(parse_double(text), std::nullopt) << text;
}

TEST(NearMatch, FindsAMissingAnExtraAWrongAndASwappedLetter) {
  const std::vector<std::string> known = {"model", "routing", "placement"};
  EXPECT_EQ(near_match("mdel", known), "model");
  EXPECT_EQ(near_match("modell", known), "model");
  EXPECT_EQ(near_match("modal", known), "model");
  EXPECT_EQ(near_match("modle", known), "model");
  EXPECT_EQ(near_match("Placement", known), "placement");
}

TEST(NearMatch, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(near_match("seed", {"model", "routing"}), "");
  EXPECT_EQ(near_match("x", {"y"}), "");  // one edit is the whole word
  EXPECT_EQ(near_match("ab", {"abcde"}), "");
  EXPECT_EQ(near_match(std::string(1000000, 'x'), {"model"}), "");
}

TEST(NearMatch, PrefersADifferenceInCaseOnly) {
  EXPECT_EQ(near_match("mib", {"kib", "MiB"}), "MiB");
}

TEST(Suggestion, NamesTheNearMatchOrElseEverythingKnown) {
  EXPECT_EQ(suggestion("modle", {"model", "routing"}), "; did you mean 'model'?");
  EXPECT_EQ(suggestion("seed", {"model", "routing"}), "; known: model, routing");
  EXPECT_EQ(suggestion("seed", {}), "");
}

TEST(NaturalOrder, CountsNumbersInNames) {
  const std::vector<std::string> ordered = {"",      "mlx5_2", "mlx5_10", "n",   "n01", "n1",
                                            "n1-ib", "n2",     "n010",    "n10", "n10a"};
  for (std::size_t i = 0; i < ordered.size(); ++i)
    for (std::size_t j = 0; j < ordered.size(); ++j)
      EXPECT_EQ(natural_less(ordered[i], ordered[j]), i < j) << ordered[i] << ' ' << ordered[j];
}

TEST(Counted, KnowsOneFromMany) {
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(0, "node"), "0 nodes");
  EXPECT_EQ(counted(2, "switch"), "2 switches");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a.b.c", '.'), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(split("a..", '.'), (std::vector<std::string>{"a", "", ""}));
  EXPECT_EQ(split("", '.'), (std::vector<std::string>{""}));
}

TEST(Join, PutsTheSeparatorBetween) {
  EXPECT_EQ(join({"a", "b"}), "a, b");
  EXPECT_EQ(join({}), "");
}

TEST(Trim, TakesSpaceFromBothEnds) {
  EXPECT_EQ(trim("\t a b \r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(Utf8, AcceptsCharactersOfEveryLength) {
  EXPECT_EQ(invalid_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\x82"), std::nullopt);
  EXPECT_EQ(invalid_utf8(""), std::nullopt);
}

TEST(Utf8, PointsAtTheFirstByteThatIsWrong) {
  EXPECT_EQ(invalid_utf8("ab\xff"), 2);            // never in UTF-8
  EXPECT_EQ(invalid_utf8("\xa9"), 0);              // a continuation without a start
  EXPECT_EQ(invalid_utf8("a\xe2\x82"), 1);         // cut off
  EXPECT_EQ(invalid_utf8("\xc3("), 0);             // no continuation
  EXPECT_EQ(invalid_utf8("\xc0\xaf"), 0);          // overlong '/'
  EXPECT_EQ(invalid_utf8("\xe0\x9f\xbf"), 0);      // overlong
  EXPECT_EQ(invalid_utf8("\xed\xa0\x80"), 0);      // a surrogate
  EXPECT_EQ(invalid_utf8("\xf4\x90\x80\x80"), 0);  // beyond U+10FFFF
}

}  // namespace
}  // namespace trainyard
