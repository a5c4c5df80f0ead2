#include "report/results.hpp"

#include "base/error.hpp"
#include "small_run.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <set>
#include <sys/resource.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

void write_small(const std::string& directory, const WriteOptions& options = {}) {
  write_results(small_platform(), small_log(), small_info(), directory, options);
}

std::string problem_of_writing(const std::string& directory, const WriteOptions& options = {}) {
  try {
    write_small(directory, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::set<std::string> names_in(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory))
    names.insert(entry.path().filename().string());
  return names;
}

constexpr WriteOptions kReplace = {true, true};

TEST(WriteResults, WritesEveryFileAndLeavesNothingBeside) {
  const ScratchDirectory scratch;
  write_small(scratch / "parent/results/");
  EXPECT_EQ(names_in(scratch / "parent"), std::set<std::string>{"results"});
  EXPECT_EQ(
      names_in(scratch / "parent/results"),
      (std::set<std::string>{"decisions.jsonl", "experiment.yaml", "fragmentation.csv",
                             "groups.csv", "iterations.csv", "jobs.csv", "jobs.swf", "ledger.csv",
                             "links.csv", "run.log", "sacct.txt", "summary.json", "trace.json"}));
  EXPECT_EQ(read_file(scratch / "parent/results/experiment.yaml"), small_info().resolved_yaml);
}

TEST(WriteResults, WithoutATimelineHasNoTrace) {
  const ScratchDirectory scratch;
  write_small(scratch / "results", {false, false});
  EXPECT_EQ(names_in(scratch / "results").count("trace.json"), 0U);
}

TEST(WriteResults, WrittenTwiceAreTheSameBytes) {
  const ScratchDirectory scratch;
  write_small(scratch / "one");
  write_small(scratch / "two");
  for (const std::string& name : names_in(scratch / "one"))
    EXPECT_EQ(read_file(scratch / ("one/" + name)), read_file(scratch / ("two/" + name))) << name;
}

TEST(WriteResults, NeverOverwriteUnlessTold) {
  const ScratchDirectory scratch;
  write_small(scratch / "results");
  const std::string problem = problem_of_writing(scratch / "results");
  EXPECT_NE(problem.find("exists already; use --replace"), std::string::npos) << problem;
}

TEST(WriteResults, ReplaceAnEarlierResultAsAWhole) {
  const ScratchDirectory scratch;
  write_small(scratch / "results");
  std::ofstream(scratch / "results/stale.txt") << "of the earlier run";
  write_small(scratch / "results", kReplace);
  EXPECT_FALSE(fs::exists(scratch / "results/stale.txt"));
  EXPECT_EQ(names_in(scratch / "."), std::set<std::string>{"results"});
}

TEST(WriteResults, ReplaceAnEmptyDirectory) {
  const ScratchDirectory scratch;
  fs::create_directory(scratch / "results");
  EXPECT_EQ(problem_of_writing(scratch / "results", kReplace), "none");
}

TEST(WriteResults, RefuseToReplaceAForeignDirectory) {
  const ScratchDirectory scratch;
  fs::create_directory(scratch / "thesis");
  std::ofstream(scratch / "thesis/chapter1.tex") << "years of work";
  const std::string problem = problem_of_writing(scratch / "thesis", kReplace);
  EXPECT_NE(problem.find("is not an earlier result"), std::string::npos) << problem;
  EXPECT_EQ(read_file(scratch / "thesis/chapter1.tex"), "years of work");
}

TEST(WriteResults, RefuseToReplaceAFile) {
  const ScratchDirectory scratch;
  std::ofstream(scratch / "results") << "a file";
  EXPECT_NE(problem_of_writing(scratch / "results", kReplace).find("is left alone"),
            std::string::npos);
}

TEST(WriteResults, FollowASymbolicLinkInsteadOfReplacingIt) {
  const ScratchDirectory scratch;
  write_small(scratch / "real");
  fs::create_directory_symlink(scratch / "real", scratch / "link");
  std::ofstream(scratch / "real/stale.txt") << "of the earlier run";
  write_small(scratch / "link", kReplace);
  EXPECT_TRUE(fs::is_symlink(scratch / "link"));
  EXPECT_FALSE(fs::exists(scratch / "real/stale.txt"));
}

TEST(WriteResults, UnderAFileSaySoAndLeaveNothing) {
  const ScratchDirectory scratch;
  std::ofstream(scratch / "file") << "not a directory";
  const std::string problem = problem_of_writing(scratch / "file/deeper/results");
  EXPECT_NE(problem.find("cannot be written: Not a directory"), std::string::npos) << problem;
  EXPECT_EQ(names_in(scratch / "."), std::set<std::string>{"file"});
}

TEST(WriteResults, RemoveWhatAKilledRunLeftBehind) {
  const ScratchDirectory scratch;
  write_small(scratch / "results");
  const std::string summary = read_file(scratch / "results/summary.json");
  const std::size_t tag = summary.find("\"fingerprint\": \"") + 16;
  fs::rename(scratch / "results", scratch / ("results.partial-" + summary.substr(tag, 16)));
  write_small(scratch / "results");
  EXPECT_EQ(names_in(scratch / "."), std::set<std::string>{"results"});
}

// Runs in a child process: what no file may exceed stays with it.
[[noreturn]] void write_where_files_are_limited(const std::string& directory, rlim_t limit,
                                                const WriteOptions& options) {
  const rlimit small_files{limit, limit};
  setrlimit(RLIMIT_FSIZE, &small_files);
  const std::string problem = problem_of_writing(directory, options);
  std::fputs(problem.c_str(), stderr);
  _exit(problem == "none" ? 0 : 2);
}

[[noreturn]] void write_long_where_files_are_limited(const std::string& directory, rlim_t limit) {
  EventLog log = small_log();
  log.iterations.assign(1000, log.iterations.front());
  log.spans.assign(1000, log.spans.front());
  log.links.assign(1000, log.links.front());
  const rlimit small_files{limit, limit};
  setrlimit(RLIMIT_FSIZE, &small_files);
  try {
    write_results(small_platform(), log, small_info(), directory, {});
  } catch (const InputError& error) {
    std::fputs(error.what(), stderr);
    _exit(2);
  }
  _exit(0);
}

TEST(WriteResults, OnAFullDiskLeaveNoDirectory) {
  const ScratchDirectory scratch;
  EXPECT_EXIT(write_where_files_are_limited(scratch / "new/parents/results", 500, {}),
              testing::ExitedWithCode(2), "cannot be written: File too large");
  EXPECT_TRUE(scratch.is_empty());
}

TEST(WriteResults, OnAFullDiskLeaveTheEarlierResultWhole) {
  const ScratchDirectory scratch;
  write_small(scratch / "results");
  const std::string before = read_file(scratch / "results/summary.json");
  EXPECT_EXIT(write_where_files_are_limited(scratch / "results", 500, kReplace),
              testing::ExitedWithCode(2), "File too large");
  EXPECT_EQ(names_in(scratch / "."), std::set<std::string>{"results"});
  EXPECT_EQ(read_file(scratch / "results/summary.json"), before);
}

// A file beyond the stream's buffer fails in the middle of a row, not when it is closed.
TEST(WriteResults, OnAFullDiskStopInTheMiddleOfALongFile) {
  for (const rlim_t limit : {5000, 20000, 40000, 60000, 80000}) {
    const ScratchDirectory scratch;
    EXPECT_EXIT(write_long_where_files_are_limited(scratch / "results", limit),
                testing::ExitedWithCode(2), "cannot be written: File too large");
    EXPECT_TRUE(scratch.is_empty());
  }
}

TEST(WriteResults, OnAFullDiskNameTheFileThatDidNotFit) {
  const ScratchDirectory scratch;
  EXPECT_EXIT(write_where_files_are_limited(scratch / "results", 900, {}),
              testing::ExitedWithCode(2), "results/sacct.txt: cannot be written");
}

TEST(CheckDestination, SaysTheSameBeforeTheRun) {
  const ScratchDirectory scratch;
  EXPECT_NO_THROW(check_destination(scratch / "results", {}));
  EXPECT_TRUE(scratch.is_empty());
  write_small(scratch / "results");
  EXPECT_THROW(check_destination(scratch / "results", {}), InputError);
  EXPECT_NO_THROW(check_destination(scratch / "results", kReplace));
  EXPECT_THROW(check_destination("", {}), InputError);
}

}  // namespace
}  // namespace trainyard
