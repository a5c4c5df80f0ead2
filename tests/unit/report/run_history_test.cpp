// decisions.jsonl read back: the queue and the nodes at a time.
#include "report/run_history.hpp"

#include "base/error.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace trainyard {

namespace {

RunHistory history_of(const std::string& lines) {
  const std::string folder = scratch_path("history");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/decisions.jsonl") << R"({"nodes":[["n0",8],["n1",8]]})" << '\n' << lines;
  return read_run_history(folder);
}

const char* const kLife = R"({"t_s":0,"job":"a","event":"submitted","gpus":12,"priority":7}
{"t_s":1,"job":"a","event":"waits","reason":"Resources"}
{"t_s":5,"job":"a","event":"starts","by":"main","on":["n0:0-7","n1:0-1 4 6"]}
{"t_s":8,"job":"a","event":"suspended"}
{"t_s":9,"job":"a","event":"resumed"}
{"t_s":20,"event":"down","reason":"n1"}
{"t_s":20,"job":"a","event":"ended","reason":"NODE_FAIL"}
{"t_s":30,"event":"up","reason":"n1"}
{"t_s":31,"job":"a","event":"starts","on":["n0:0-7","n1:0-3"]}
{"t_s":50,"job":"a","event":"ended","reason":"COMPLETED"}
)";

}  // namespace

TEST(RunHistory, ShowsAJobsStateAtAnyTime) {
  const RunHistory history = history_of(kLife);
  const auto state = [&](double time) { return cluster_at(history, time).jobs["a"].state; };
  EXPECT_EQ(state(2), "PENDING");
  EXPECT_EQ(cluster_at(history, 2).jobs["a"].reason, "Resources");
  EXPECT_EQ(state(5), "RUNNING");
  EXPECT_EQ(state(8.5), "SUSPENDED");
  EXPECT_EQ(state(10), "RUNNING");
  EXPECT_EQ(state(25), "PENDING");
  EXPECT_EQ(state(40), "RUNNING");
  EXPECT_FALSE(cluster_at(history, 50).jobs["a"].shown());
}

TEST(RunHistory, CountsTheGpusInUseOnEveryNode) {
  const RunHistory history = history_of(kLife);
  EXPECT_EQ(cluster_at(history, 10).used["n0"], 8);
  EXPECT_EQ(cluster_at(history, 10).used["n1"], 4);
  EXPECT_EQ(cluster_at(history, 25).used["n0"], 0);
  EXPECT_EQ(cluster_at(history, 25).closed.count("n1"), 1U);
  EXPECT_TRUE(cluster_at(history, 30).closed.empty());
}

TEST(RunHistory, NamesTheLineThatIsNotAsWritten) {
  try {
    history_of("{\"t_s\":0,\"event\":\"x\"}\nnonsense\n");
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("decisions.jsonl:3"), std::string::npos);
  }
}

}  // namespace trainyard
