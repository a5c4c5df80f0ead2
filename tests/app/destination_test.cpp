// Where results go: whole or not at all, and never over what is somebody else's.
#include "app/refusal.hpp"

#include <algorithm>

namespace trainyard::testing {

namespace {

const std::vector<std::string> kResults = {
    "decisions.jsonl", "experiment.yaml", "fragmentation.csv", "groups.csv", "iterations.csv",
    "jobs.csv",        "jobs.swf",        "ledger.csv",        "links.csv",  "run.log",
    "sacct.txt",       "summary.json",    "trace.json"};

TEST(Destination, HoldsEveryFileOfARun) {
  const Workplace place;
  place.write("e.yaml", one_job());
  const Outcome outcome = place.run({"run", "e.yaml", "-o", "some/where/out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(place.listing("some/where"), [] {
    std::vector<std::string> names = {"out"};
    for (const std::string& file : kResults) names.push_back("out/" + file);
    return names;
  }());
}

TEST(Destination, IsNamedAfterTheExperimentByDefault) {
  const Workplace place;
  place.write("named.yaml", one_job("name: mine\n"));
  place.write("unnamed.yaml", one_job());
  place.run({"run", "named.yaml"});
  const Outcome outcome = place.run({"run", "unnamed.yaml"});
  EXPECT_NE(outcome.out.find("results: results/work\n"), std::string::npos) << outcome.out;
  const std::vector<std::string> names = place.listing("results");
  EXPECT_EQ(std::count(names.begin(), names.end(), "mine"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "work"), 1);  // the folder's name
}

TEST(Destination, ThatExistsStays) {
  const Workplace place;
  place.write("e.yaml", one_job());
  place.run({"run", "e.yaml", "-o", "out"});
  place.write("out/summary.json", "kept");
  const Outcome outcome = place.run({"run", "e.yaml", "-o", "out"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "trainyard: out: exists already; use --replace to replace its results\n");
  EXPECT_EQ(place.read("out/summary.json"), "kept");
}

TEST(Destination, IsReplacedWhenAsked) {
  const Workplace place;
  place.write("e.yaml", one_job());
  place.write("out/summary.json", "old");
  place.write("out/old", "old");
  const Outcome outcome = place.run({"run", "e.yaml", "-o", "out/", "--replace"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(place.listing("out"), kResults);
  EXPECT_EQ(place.listing().size(), 3 + kResults.size());  // e.yaml, tiny.xml, out
}

TEST(Destination, OfSomebodyElseIsNeverReplaced) {
  for (const std::string& experiment : {one_job(), one_job("sweep: {seed: [1, 2]}\n")}) {
    const Workplace place;
    place.write("e.yaml", experiment);
    place.write("out/thesis.tex", "dear");
    const Outcome outcome = place.run({"run", "e.yaml", "-o", "out", "--replace"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "trainyard: out: exists and is not an earlier result; it is left alone\n");
    EXPECT_EQ(place.read("out/thesis.tex"), "dear");
    EXPECT_EQ(place.listing(),
              (std::vector<std::string>{"e.yaml", "out", "out/thesis.tex", "tiny.xml"}));
  }
}

TEST(Destination, ThatIsAFileIsAnError) {
  const Workplace place;
  place.write("e.yaml", one_job());
  place.write("out", "a file");
  EXPECT_EQ(place.run({"run", "e.yaml", "-o", "out", "--replace"}).code, 2);
  EXPECT_EQ(place.run({"run", "e.yaml", "-o", "out/below"}).code, 2);
  EXPECT_EQ(place.read("out"), "a file");
}

// SIGXFSZ is the nearest to a full disk that needs no disk.
TEST(Destination, OnAFullDiskGetsNothing) {
  for (const std::string& experiment : {one_job(), one_job("sweep: {seed: [1, 2, 3]}\n")}) {
    Workplace place;
    place.write("e.yaml", experiment);
    const std::vector<std::string> before = place.listing();
    place.file_size_limit = 600;
    const Outcome outcome = place.run({"run", "e.yaml", "-o", "some/where/out"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("cannot be written: File too large"), std::string::npos)
        << outcome.err;
    EXPECT_EQ(place.listing(), before);
  }
}

TEST(Destination, GetsTheSameBytesFromItsOwnExperiment) {
  const Workplace place;
  place.write("deep/e.yaml", replaced(one_job("name: x\nrelative_to: ..\n"), "tiny.xml",
                                      "{file: tiny.xml, oversubscription: 2}"));
  EXPECT_EQ(place.run({"run", "deep/e.yaml", "-o", "first"}).code, 0);
  EXPECT_EQ(place.run({"run", "first/experiment.yaml", "-o", "a/second"}).code, 0);
  EXPECT_EQ(place.contents("first"), place.contents("a/second"));
}

TEST(Destination, OfASweepHasReproduciblePoints) {
  const Workplace place;
  place.write("e.yaml", one_job("sweep: {platform.oversubscription: [1, 2], seed: [7]}\n"));
  EXPECT_EQ(place.run({"run", "e.yaml", "-o", "out"}).code, 0);
  const std::string point = "out/runs/01__platform.oversubscription=2__seed=7";
  EXPECT_EQ(place.run({"run", point + "/experiment.yaml", "-o", "again"}).code, 0);
  EXPECT_EQ(place.contents(point), place.contents("again"));
}

TEST(Destination, OfASweepIsReproducibleAsAWhole) {
  const Workplace place;
  place.write("deep/e.yaml", one_job("relative_to: ..\nsweep: {seed: [7, 8]}\n"));
  EXPECT_EQ(place.run({"run", "deep/e.yaml", "-o", "out", "--set", "scheduler.policy=fifo"}).code,
            0);
  EXPECT_EQ(place.run({"run", "out/experiment.yaml", "-o", "a/second"}).code, 0);
  EXPECT_EQ(place.contents("out"), place.contents("a/second"));
}

TEST(Destination, OfASweepIsTheSameHoweverManyWorkers) {
  const Workplace place;
  place.write("e.yaml", one_job("sweep: {seed: [1, 2, 3], scheduler.policy: [fifo, backfill]}\n"));
  EXPECT_EQ(place.run({"run", "e.yaml", "-o", "one", "-j", "1"}).code, 0);
  EXPECT_EQ(place.run({"run", "e.yaml", "-o", "four", "-j", "4"}).code, 0);
  EXPECT_EQ(place.contents("one"), place.contents("four"));
}

}  // namespace

}  // namespace trainyard::testing
