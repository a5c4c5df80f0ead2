#include "config/csv_table.hpp"

#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <gmock/gmock.h>

namespace trainyard {
namespace {

std::string file_of(const std::string& text) {
  std::string file = scratch_path("table.csv");
  std::ofstream(file) << text;
  return file;
}

TEST(CsvFile, IsReadByTheNamesOfItsColumns) {
  const CsvFile csv(file_of("# a comment\nname,size,share,time\n\n a , 3, 0.5 ,2 ms\n"),
                    "name,size,share,time");
  ASSERT_EQ(csv.rows().size(), 1U);
  const CsvRow& row = csv.rows().front();
  EXPECT_EQ(row.text("name"), "a");
  EXPECT_EQ(row.integer("size", 1), 3);
  EXPECT_EQ(row.number("share", 0, 1), 0.5);
  EXPECT_EQ(row.seconds("time"), milliseconds(2));
}

TEST(CsvFile, NamesLineAndColumnOfWhatIsWrong) {
  const auto refused = [](const std::string& text, auto&& use) {
    try {
      const CsvFile csv(file_of(text), "name,size");
      use(csv.rows().front());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto nothing = [](const CsvRow&) {};
  using testing::HasSubstr;
  EXPECT_THAT(refused("name,sizes\n", nothing), HasSubstr(":1: the first line must be name,size"));
  EXPECT_THAT(refused("name,size\na,1,2\n", nothing), HasSubstr(":2: expected 2 columns, found 3"));
  EXPECT_THAT(refused("name,size\n", nothing), HasSubstr("holds no row"));
  EXPECT_THAT(refused("name,size\na,x\n", [](const CsvRow& row) { row.integer("size", 0); }),
              HasSubstr(":2: size: must be an integer of at least 0, got 'x'"));
  EXPECT_THAT(refused("name,size\na,nan\n", [](const CsvRow& row) { row.number("size", 0, 1); }),
              HasSubstr(":2: size: must be a number from 0 to 1, got 'nan'"));
  EXPECT_THAT(refused("name,size\nbb,1\n", [](const CsvRow& row) { row.one_of("name", {"b"}); }),
              HasSubstr(":2: name: unknown value 'bb'; did you mean 'b'?"));
  EXPECT_THAT(refused("name,size\na,0 s\n", [](const CsvRow& row) { row.seconds("size"); }),
              HasSubstr(":2: size: must be more than zero"));
}

}  // namespace
}  // namespace trainyard
