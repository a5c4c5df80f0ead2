// Every way in which a trace can be wrong ends in one sentence with its place.
#include "base/error.hpp"
#include "files.hpp"
#include "workload/importers/jobs/swf.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <random>

namespace trainyard {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFile;

const char* const kGood = "1 0 -1 100 4 -1 -1 -1 200 -1 1 1 1 -1 -1 -1 -1 -1\n";

// The message without the file's name: ":line:column: problem".
std::string message_of(const std::string& path) {
  try {
    read_swf(path, {});
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find(path), 0U) << message;
    return message.substr(path.size());
  }
  return "no error";
}

std::string error_in(const std::string& content) {
  return message_of(TemporaryFile("wrong.swf", content).path());
}

TEST(SwfErrors, AFileThatIsNotThereSaysWhy) {
  EXPECT_EQ(message_of("/nowhere/trace.swf"), ": cannot be read: No such file or directory");
}

TEST(SwfErrors, ADirectoryIsNotATrace) {
  EXPECT_EQ(message_of("/tmp"), ": cannot be read: it is a directory");
}

TEST(SwfErrors, ATraceWithoutJobsIsAnErrorAndSaysWhatWasDropped) {
  EXPECT_EQ(error_in(""), ": holds no usable jobs");
  EXPECT_EQ(error_in("; Version: 2.2\n"), ": holds no usable jobs");
  EXPECT_EQ(error_in("1 0 -1 -1 4 -1 -1 -1 200 -1 1 1 1 -1 -1 -1 -1 -1\n"),
            ": holds no usable jobs; dropped: 1 with run time unknown or zero");
}

TEST(SwfErrors, AWrongNumberOfFieldsNamesTheLineAndBothNumbers) {
  EXPECT_EQ(error_in(std::string(kGood) + "2 0 7560 512 1 90\n"),
            ":2: expected 18 fields, found 6 in '2 0 7560 512 1 90'");
  EXPECT_THAT(error_in(std::string(kGood, 48) + " -1 -1\n"),
              HasSubstr(":1: expected 18 fields, found 20"));
}

TEST(SwfErrors, AFieldThatIsNoNumberNamesItsColumnAndTheField) {
  EXPECT_EQ(error_in("1 0 -1 abc 4 -1 -1 -1 200 -1 1 1 1 -1 -1 -1 -1 -1\n"),
            ":1:8: field 4 (run time): must be a number, got 'abc'");
  EXPECT_EQ(error_in("  1 0 -1 100 4 -1 -1 -1 200 -1 1 1 1 -1 -1 -1 -1 1x\n"),
            ":1:50: field 18 (think time): must be a number, got '1x'");
  for (const char* word : {"nan", "inf", "1e999", "0x10", "1,5", "--1"})
    EXPECT_THAT(
        error_in(std::string("1 0 -1 ") + word + " 4 -1 -1 -1 200 -1 1 1 1 -1 -1 -1 -1 -1\n"),
        HasSubstr(std::string(":1:8: field 4 (run time): must be a number, got '") + word));
}

TEST(SwfErrors, BytesThatAreNotUtf8AreNamedInAFieldAndFineInAComment) {
  EXPECT_EQ(error_in("; \xff\xfe anything\n1 0 -1 10\xff 4 -1 -1 -1 200 -1 1 1 1 -1 -1 -1 -1 -1\n"),
            ":2:10: field 4 (run time): holds a byte that is not UTF-8, got '10\\xff'");
}

TEST(SwfErrors, CountsMustBeWhole) {
  EXPECT_EQ(error_in("1 0 -1 100 4.5 -1 -1 -1 200 -1 1 1 1 -1 -1 -1 -1 -1\n"),
            ":1:12: field 5 (allocated processors): must be a whole number, got '4.5'");
}

TEST(SwfErrors, ANegativeSubmissionIsAnError) {
  EXPECT_EQ(error_in("1 -1 -1 100 4 -1 -1 -1 200 -1 1 1 1 -1 -1 -1 -1 -1\n"),
            ":1:3: field 2 (submit time): must not be negative, got '-1'");
}

TEST(SwfErrors, ATimeInMillisecondsIsNotTakenForSeconds) {
  EXPECT_EQ(error_in("1 1700000000000 -1 100 4 -1 -1 -1 200 -1 1 1 1 -1 -1 -1 -1 -1\n"),
            ":1:3: field 2 (submit time): is not a time in seconds, got '1700000000000'");
}

TEST(SwfErrors, AJobNumberThatAppearsTwiceNamesBothLines) {
  EXPECT_EQ(error_in(std::string("; c\n") + kGood + "\n" + kGood),
            ":4: job number 1 is already on line 2");
}

TEST(SwfErrors, MoreProcessorsThanAnIntegerHolds) {
  EXPECT_THAT(error_in("1 0 -1 100 3000000000 -1 -1 -1 200 -1 1 1 1 -1 -1 -1 -1 -1\n"),
              HasSubstr(":1: job number 1: 3000000000 processors of 1 GPUs each are more than"));
}

TEST(SwfErrors, ALineWithoutEndIsNotReadWhole) {
  EXPECT_EQ(error_in(kGood + std::string(3 << 20, '1')),
            ":2: a line of more than 1 MiB: not a text file");
}

TEST(SwfErrors, ACompressedTraceCutAnywhereIsAnError) {
  std::string plain;
  for (int job = 1; job <= 200; ++job) plain += std::to_string(job) + std::string(kGood).substr(1);
  const std::string whole = testing::gzipped(plain);
  for (std::size_t size = 0; size < whole.size(); size += size < 40 ? 1 : 37)
    EXPECT_NE(error_in(whole.substr(0, size)), "no error") << "cut to " << size << " bytes";
  EXPECT_THAT(error_in(whole.substr(0, whole.size() / 2)),
              HasSubstr("the gzip data ends too early: the file is truncated"));
  EXPECT_THAT(error_in(whole.substr(0, whole.size() - 4)), HasSubstr(":201: the gzip data ends"));
}

TEST(SwfErrors, ADamagedCompressedTraceIsAnError) {
  std::string whole = testing::gzipped(kGood);
  whole[whole.size() - 6] ^= 1;  // in the checksum
  EXPECT_THAT(error_in(whole), HasSubstr("the gzip data is damaged: "));
}

// Deterministic: the same mutations in every run.
void survive_mutations(const std::string& original, unsigned seed, int rounds) {
  std::mt19937 random(seed);
  for (int round = 0; round < rounds; ++round) {
    std::string content = original;
    for (unsigned change = 0; change <= random() % 4; ++change) {
      const std::size_t at = random() % content.size();
      const char byte = static_cast<char>(random() % 256);
      if (random() % 3 == 0)
        content.insert(at, 1, byte);
      else if (random() % 2 == 0)
        content.erase(at, random() % 8 + 1);
      else
        content[at] = byte;
      if (content.empty()) content = " ";
    }
    const TemporaryFile file("mutated.swf", content);
    try {
      const JobTrace trace = read_swf(file.path(), {});
      EXPECT_FALSE(trace.jobs.empty());
      for (const Job& job : trace.jobs) EXPECT_TRUE(job.gpus > 0 && job.run_time > Seconds());
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(file.path()));
    }
  }
}

TEST(SwfErrors, NoMutationOfATraceDoesMoreThanAnInputError) {
  const std::string plain =
      testing::content_of(testing::source_path("tests/data/workload/twenty_jobs.swf"));
  survive_mutations(plain, 1, 3000);
  survive_mutations(testing::gzipped(plain), 2, 1000);
}

}  // namespace
}  // namespace trainyard
