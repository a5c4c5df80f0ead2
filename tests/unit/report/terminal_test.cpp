// What people see in the terminal: tables, the answer and the live line.
#include "base/error.hpp"
#include "report/answer.hpp"
#include "report/progress.hpp"
#include "report/results.hpp"
#include "report/table.hpp"
#include "small_run.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace trainyard {
namespace {

TEST(Table, AlignsItsColumnsByCharactersAndEndsNoLineInSpaces) {
  Table table({{"name", Align::Left}, {"wait", Align::Right}, {"note", Align::Left}});
  table.add({"caf\xc3\xa9", "5 s", ""});
  table.add({"a", "12.5 s", "long"});
  table.add({"b"});
  EXPECT_EQ(table.text(),
            "name    wait  note\n"
            "caf\xc3\xa9     5 s\n"
            "a     12.5 s  long\n"
            "b\n");
}

TEST(Table, BreaksItsWidestTextWhereItWouldBeWiderThanTheTerminal) {
  Table table({{"case", Align::Left}, {"n", Align::Right}, {"why", Align::Left}});
  table.add({"a", "1", "one two three four five six seven"});
  EXPECT_EQ(table.text(28),
            "case  n  why\n"
            "a     1  one two three four\n"
            "         five six seven\n");
}

TEST(AnswerTable, HasOneLineAPoint) {
  const AnswerRow small{"small", metric_values(small_platform(), small_log())};
  const AnswerRow empty{"nothing ran", metric_values(small_platform(), {})};
  // utilisation 320 / 670, goodput 244 / 800, contention 12 / 320
  EXPECT_EQ(answer_table({small, empty}),
            "point        jobs done  of  mean wait  slowdown  utilisation  goodput  contention  "
            "big job's step  its ideal  preemptions\n"
            "small                2   3      5.0 s      1.42       47.8 %   30.5 %       3.8 %  "
            "             -          -            0\n"
            "nothing ran          0   0          -         -            -        -           -  "
            "             -          -            0\n");
}

TEST(AnswerTable, IsTheSameFromTheLogAndFromTheSummary) {
  const ScratchDirectory scratch;
  write_results(small_platform(), small_log(), small_info(), scratch / "small", {});
  EXPECT_EQ(read_summary(scratch / "small"), metric_values(small_platform(), small_log()));
  write_results(small_platform(), {}, small_info(), scratch / "empty", {});
  EXPECT_EQ(read_summary(scratch / "empty"), metric_values(small_platform(), {}));
}

TEST(ReadSummary, NamesTheFileThatIsMissingOrBroken) {
  const ScratchDirectory scratch;
  EXPECT_THROW(read_summary(scratch / "nowhere"), InputError);
  const auto problem_with = [&](const std::string& text) -> std::string {
    std::ofstream(scratch / "summary.json") << text;
    try {
      read_summary(scratch / ".");
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_NE(problem_with("{\"metrics\": {").find("summary.json: metrics: is missing"),
            std::string::npos);
  EXPECT_NE(problem_with("[]").find("is missing"), std::string::npos);
  EXPECT_NE(problem_with(R"({"metrics": {"jobs": "3"}})").find("metrics.jobs: must be a number"),
            std::string::npos);
}

TEST(ProgressLine, EstimatesTheRestFromTheJobs) {
  // 10 of 40 jobs took 60 s: the other 30 take 180 s.
  EXPECT_EQ(progress_line(hours(25), seconds(60), 10, 40),
            "simulated 1 d 01 h, 1500 s/s, jobs 10/40, about 3 min 00 s left");
  EXPECT_EQ(progress_line(seconds(0), seconds(0), 0, 40), "simulated 0 s, jobs 0/40");
  EXPECT_EQ(progress_line(minutes(90), seconds(9), 40, 40),
            "simulated 1 h 30 min, 600 s/s, jobs 40/40");
}

TEST(InWords, UsesTwoUnits) {
  EXPECT_EQ(in_words(seconds(59.4)), "59 s");
  EXPECT_EQ(in_words(seconds(59.6)), "1 min 00 s");
  EXPECT_EQ(in_words(hours(23) + minutes(59)), "23 h 59 min");
  EXPECT_EQ(in_words(days(3) + hours(4)), "3 d 04 h");
  EXPECT_EQ(in_words(forever()), "forever");
}

TEST(Progress, SaysNothingWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  Progress progress(false, 4);
  progress.update(seconds(10), 1);
  progress.finish();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, EndsOnALineOfItsOwnAndIsNotPrintedAtEveryUpdate) {
  testing::internal::CaptureStderr();
  Progress progress(true, 4);
  for (int i = 0; i < 1000; ++i) progress.update(seconds(i), 4);
  progress.finish();
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_LT(std::count(text.begin(), text.end(), '\r'), 10);
  EXPECT_NE(text.find("jobs 4/4"), std::string::npos);
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
}  // namespace trainyard
