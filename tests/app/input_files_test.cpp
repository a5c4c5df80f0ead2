// Files as they come from other systems and from accidents.
#include "app/refusal.hpp"

#include <cstdlib>
#include <zlib.h>

namespace trainyard::testing {

namespace {

std::string gzipped(const std::string& content, const Workplace& place) {
  const std::string file = (place.path().parent_path() / "gzip").string();
  gzFile output = gzopen(file.c_str(), "wb");
  gzwrite(output, content.data(), static_cast<unsigned>(content.size()));
  gzclose(output);
  return place.read("../gzip");
}

std::string long_trace() {
  std::string lines;
  for (int job = 1; job <= 3000; ++job) lines += swf_line(job, 100 + job % 7, 2, 1);
  return lines;
}

TEST(InputFiles, WithWindowsLineEndsOrAByteOrderMarkSayTheSame) {
  const Workplace place;
  const std::string yaml = one_job("# a comment\nseed: 3\n");
  std::string windows;
  for (const char c : yaml) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  place.write("e.yaml", yaml);
  const std::string expected = place.run({"check", "e.yaml"}).out;
  EXPECT_NE(expected, "");
  place.write("e.yaml", windows);
  EXPECT_EQ(place.run({"check", "e.yaml"}).out, expected);
  place.write("e.yaml", "\xef\xbb\xbf" + windows);
  EXPECT_EQ(place.run({"check", "e.yaml"}).out, expected);
}

TEST(InputFiles, AreReadCompressedToo) {
  const Workplace place;
  place.write("t.swf", gzipped(long_trace(), place));
  place.write("e.yaml", gzipped(fixture("trace.yaml"), place));
  const Outcome outcome = place.run({"check", "e.yaml"});
  EXPECT_NE(outcome.out.find("# 3000 jobs on 8 GPUs"), std::string::npos) << outcome.err;
}

TEST(InputFiles, ThatAreTruncatedAreErrorsAtThatLine) {
  const Workplace place;
  const std::string whole = gzipped(long_trace(), place);
  place.write("t.swf.gz", whole.substr(0, whole.size() / 2));
  place.write("e.yaml", replaced(fixture("trace.yaml"), "t.swf", "t.swf.gz"));
  const Outcome outcome = place.run({"run", "e.yaml", "-o", "out"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err.rfind("trainyard: DIR/t.swf.gz:", 0), 0U) << outcome.err;
  EXPECT_NE(outcome.err.find("the gzip data ends too early: the file is truncated\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(place.path() / "out"));
}

TEST(InputFiles, ThatAreAbsentOrFoldersAreErrors) {
  const Workplace place;
  EXPECT_EQ(place.run({"check", "e.yaml"}).err,
            "trainyard: e.yaml: cannot be read: No such file or directory\n");
  EXPECT_EQ(place.run({"run", "."}).err, "trainyard: .: cannot be read: Is a directory\n");
  EXPECT_EQ(place.run({"platform", "show", "nowhere.xml"}).err,
            "trainyard: nowhere.xml: cannot be read: No such file or directory\n");
}

TEST(InputFiles, NestedWithoutEndAreErrors) {
  const Workplace place;
  std::string blocks = "platform:\n";
  for (std::size_t depth = 1; depth < 300; ++depth) blocks += std::string(depth, ' ') + "a:\n";
  std::string laughs = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c <= 'i'; ++c) {
    const std::string alias = std::string("*") + static_cast<char>(c - 1);
    laughs += std::string(1, c) + ": &" + c + " [" + alias;
    for (int i = 0; i < 8; ++i) laughs += ", " + alias;
    laughs += "]\n";
  }
  const std::string lists =
      "platform: " + std::string(50'000, '[') + std::string(50'000, ']') + "\n";
  for (const std::string& yaml : {blocks, lists}) {
    place.write("e.yaml", yaml);
    const Outcome outcome = place.run({"check", "e.yaml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(": nested too deeply\n"), std::string::npos) << outcome.err;
  }
  place.write("e.yaml", laughs);
  EXPECT_EQ(place.run({"check", "e.yaml"}).err,
            "trainyard: e.yaml:7:8: g[0]: aliases make this file too large\n");
}

TEST(InputFiles, OfSixColumnsAreNoWorkloadLog) {
  const Workplace place;
  place.write("e.yaml", fixture("trace.yaml"));
  place.write("t.swf", fixture("six_columns.swf"));
  const Outcome outcome = place.run({"check", "e.yaml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "trainyard: DIR/t.swf:2: expected 18 fields, found 6 in '1 0 10 100 2 50'\n");
}

TEST(InputFiles, OfSixColumnsExistInTheWild) {
  const char* data = std::getenv("TRAINYARD_DATA");
  const std::filesystem::path named =
      std::string(data ? data : "") + "/data/workload/anl-extract.swf";
  const std::string file = named.lexically_normal().string();  // as the program names it
  if (!std::filesystem::exists(file))
    GTEST_SKIP() << "REFERENCE DATA ABSENT, nothing was checked: no " << file;
  const Workplace place;
  place.write("e.yaml", replaced(fixture("trace.yaml"), "t.swf", file));
  const Outcome outcome = place.run({"check", "e.yaml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err.rfind("trainyard: " + file + ":1: expected 18 fields, found 6 in ", 0), 0U)
      << outcome.err;
}

}  // namespace

}  // namespace trainyard::testing
