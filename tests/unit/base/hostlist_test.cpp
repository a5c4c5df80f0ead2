// Hostlists as Slurm writes them, and what is none.
#include "base/hostlist.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {

namespace {

using ::testing::ElementsAre;

std::vector<std::string> names(std::string_view text) {
  const Hostlist list = expand_hostlist(text);
  EXPECT_EQ(list.problem, "") << text;
  return list.names;
}

std::string problem(std::string_view text) {
  const Hostlist list = expand_hostlist(text);
  EXPECT_TRUE(list.names.empty()) << text;
  return std::to_string(list.at) + ": " + list.problem;
}

TEST(Hostlist, APlainNameIsItself) {
  EXPECT_THAT(names("login-1.site"), ElementsAre("login-1.site"));
}

TEST(Hostlist, RangesAndSingleNumbersMix) {
  EXPECT_THAT(names("g1,n[1-3,7],b_2"), ElementsAre("g1", "n1", "n2", "n3", "n7", "b_2"));
}

TEST(Hostlist, NumbersArePaddedToTheWidthOfTheFirst) {
  EXPECT_THAT(names("n[08-11]"), ElementsAre("n08", "n09", "n10", "n11"));
  EXPECT_THAT(names("n[8-11]"), ElementsAre("n8", "n9", "n10", "n11"));
  EXPECT_THAT(names("n[099-101]"), ElementsAre("n099", "n100", "n101"));
  EXPECT_THAT(names("n[001,2]"), ElementsAre("n001", "n2"));
}

TEST(Hostlist, OfSeveralBracketsTheLastRunsFastest) {
  EXPECT_THAT(names("r[1-2]n[01-02]-ib"),
              ElementsAre("r1n01-ib", "r1n02-ib", "r2n01-ib", "r2n02-ib"));
}

TEST(Hostlist, TenThousandNamesAreAsManyAsTheRangeSays) {
  const std::vector<std::string> peta = names("peta[10000-19999]");
  ASSERT_EQ(peta.size(), 19999U - 10000 + 1);
  EXPECT_EQ(peta.back(), "peta19999");
}

TEST(Hostlist, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(problem(""), "0: is empty");
  EXPECT_EQ(problem("a,,b"), "2: has an empty name");
  EXPECT_EQ(problem("a,"), "2: ends in a comma");
  EXPECT_EQ(problem("n[1-3"), "1: has a '[' without its ']'");
  EXPECT_EQ(problem("n["), "1: has a '[' without its ']'");
  EXPECT_EQ(problem("n1-3]"), "4: has a ']' without its '['");
  EXPECT_EQ(problem("n[]"), "2: lacks a number between brackets");
  EXPECT_EQ(problem("n[1-]"), "4: lacks a number between brackets");
  EXPECT_EQ(problem("n[3-1]"), "2: has the range 3-1, which runs backwards");
  EXPECT_EQ(problem("n[1x]"), "3: has 'x' between brackets: only numbers and ranges belong there");
  EXPECT_EQ(problem("n[a]"), "2: lacks a number between brackets");
  EXPECT_EQ(problem("n 1"), "1: has ' ', which no host's name has");
  EXPECT_EQ(problem("n[1234567890123456789]"), "2: has a number of more than 18 digits");
}

TEST(Hostlist, AMillionNamesAreTheMost) {
  EXPECT_EQ(names("n[1-1000000]").size(), kMostHosts);
  EXPECT_EQ(problem("n[1-1000001]"), "11: has more than 1000000 names");
  EXPECT_EQ(problem("n[0-9999]x[0-9999]"), "18: has more than 1000000 names");
  EXPECT_EQ(problem("n[1-999999],m[1-2]"), "18: has more than 1000000 names");
  EXPECT_EQ(problem("n[0-999999999999999999]"), "22: has more than 1000000 names");
}

TEST(Hostlist, IsCompressedToRangesAndExpandsToTheSameNames) {
  EXPECT_EQ(compress_hostlist({"n3", "n1", "n2", "n10"}), "n[1-3,10]");
  EXPECT_EQ(compress_hostlist({"n08", "n09", "n10", "n12"}), "n[08-10,12]");
  EXPECT_EQ(compress_hostlist({"login", "n7"}), "login,n7");
  EXPECT_EQ(compress_hostlist({"r1n1", "r1n2", "r2n1"}), "r1n[1-2],r2n1");
  EXPECT_EQ(compress_hostlist({"n1", "n1"}), "n1");
  EXPECT_EQ(compress_hostlist({}), "");
  const std::vector<std::string> names = {"a", "n07", "n08", "n10", "n11", "x9", "x10"};
  EXPECT_EQ(expand_hostlist(compress_hostlist(names)).names, names);
}

}  // namespace

}  // namespace trainyard
