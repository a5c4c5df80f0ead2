// The command line's manners: what goes where, in which order, and what the help says.
#include "app/refusal.hpp"

#include <algorithm>
#include <sstream>

namespace trainyard::testing {

namespace {

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result.push_back(line);
  return result;
}

TEST(Manners, TheHelpTellsTheExitCodes) {
  const Outcome help = Workplace().run({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  for (const char* line : {"  2      a file or an argument is wrong\n",
                           "  3      every file is legal and the plan is impossible\n",
                           "  4      the simulated world is stuck\n"})
    EXPECT_NE(help.out.find(line), std::string::npos) << help.out;
  EXPECT_LE(longest_line(help.out), 110U);
}

TEST(Manners, EveryCommandHasHelp) {
  const std::vector<std::vector<std::string>> commands = {
      {"run"}, {"check"}, {"list"}, {"platform"}, {"platform", "show"}};
  for (std::vector<std::string> command : commands) {
    command.push_back("--help");
    const Outcome help = Workplace().run(command);
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("Usage: trainyard " + command[0]), std::string::npos) << help.out;
  }
}

TEST(Manners, TheVersionNamesTheEngineToo) {
  const Outcome version = Workplace().run({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("trainyard 0.1, SimGrid 3.", 0), 0U) << version.out;
}

struct CommandLine {
  std::vector<std::string> words;
  std::string message;
};

TEST(Manners, ACommandLineThatCannotBeUnderstoodIsOneLineAndExitCode2) {
  const std::vector<CommandLine> lines = {
      {{}, "A subcommand is required; see 'trainyard --help'"},
      {{"rnu", "e.yaml"}, "unknown command 'rnu'; did you mean 'run'?"},
      {{"report"},
       "unknown command 'report'; known: run, check, interference, whatif, step, list, "
       "platform, nccl-tests, calibrate, validate, trace, golden, explain, queue, nodes"},
      {{"run"}, "experiment is required; see 'trainyard run --help'"},
      {{"run", "e.yaml", "--fast"},
       "The following argument was not expected: --fast; see 'trainyard run --help'"},
      {{"run", "e.yaml", "-j", "0"},
       "--workers: Value 0 not in range 1 to 4096; see 'trainyard run --help'"},
      {{"platform"}, "A subcommand is required; see 'trainyard platform --help'"},
  };
  for (const CommandLine& line : lines) {
    const Outcome outcome = Workplace().run(line.words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "trainyard: " + line.message + "\n");
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(Manners, ARunPrintsTheQuestionTheTableAndThePath) {
  const Workplace place;
  place.write("e.yaml", one_job("question: Is it fast?\n"));
  const Outcome outcome = place.run({"run", "e.yaml", "-o", "out"});
  EXPECT_EQ(outcome.err, "");  // no progress: this is no terminal
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 4U) << outcome.out;
  EXPECT_EQ(lines[0], "Is it fast?");
  EXPECT_EQ(lines[1].rfind("point ", 0), 0U);
  EXPECT_EQ(lines[2].rfind("backfill pack_by_leaf ", 0), 0U);
  EXPECT_EQ(lines[3], "results: out");
}

TEST(Manners, ASweepsPointsAreLabelled) {
  const Workplace place;
  place.write("e.yaml", one_job("sweep: {platform.oversubscription: [1, 2], name: [a b]}\n"));
  const Outcome outcome = place.run({"run", "e.yaml", "-o", "out"});
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 4U) << outcome.out << outcome.err;
  EXPECT_EQ(lines[1].rfind("platform.oversubscription=1 name=a b ", 0), 0U);
  EXPECT_EQ(lines[2].rfind("platform.oversubscription=2 name=a b ", 0), 0U);
  const std::vector<std::string> names = place.listing("out/runs");
  EXPECT_EQ(names.front(), "00__platform.oversubscription=1__name=a-b");
}

TEST(Manners, CheckPrintsAnExperimentThatIsUnderstoodTheSame) {
  const Workplace place;
  place.write("e.yaml", one_job("seed: 5\n"));
  const Outcome first = place.run({"check", "e.yaml"});
  EXPECT_EQ(first.code, 0);
  EXPECT_NE(first.out.find("\n# 1 job on 8 GPUs of tiny_2x4\n"), std::string::npos) << first.out;
  place.write("elsewhere/again.yaml", replaced(first.out, "DIR", place.path().string()));
  EXPECT_EQ(place.run({"check", "elsewhere/again.yaml"}).out, first.out);
}

TEST(Manners, CheckCountsWhatATraceLost) {
  const Workplace place;
  place.write("e.yaml", fixture("trace.yaml"));
  place.write("t.swf", swf_line(1, 100, 2, 1) + swf_line(2, 0, 2, 1) + swf_line(3, 300, 2, 1));
  const Outcome outcome = place.run({"check", "e.yaml"});
  EXPECT_NE(outcome.out.find("# 2 jobs on 8 GPUs of tiny_2x4\n"
                             "# dropped: run time unknown or zero: 1\n"
                             "# recorded run time above own limit: 1\n"),
            std::string::npos)
      << outcome.out << outcome.err;
}

TEST(Manners, TheListFitsAScreen) {
  const Outcome outcome = Workplace().run({"list"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_LE(longest_line(outcome.out), 120U);
  for (const char* name : {"\n  backfill ", "\n  pack_by_leaf ", "\n  all_reduce ring ",
                           "\n  rail_optimized ", "\n  goodput "})
    EXPECT_NE(outcome.out.find(name), std::string::npos) << name;
}

TEST(Manners, APlatformIsShownInAScreenful) {
  const Outcome outcome = Workplace().run({"platform", "show", "tiny.xml"});
  EXPECT_EQ(outcome.code, 0);
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[0], "tiny_2x4 (fat_tree, numbers: assumed)");
  EXPECT_EQ(lines[1], "2 nodes, 8 GPUs, 8 NICs");
  EXPECT_NE(outcome.out.find("bisection: 200 GB/s each way\n"), std::string::npos) << outcome.out;
}

TEST(Manners, EveryShippedPlatformCanBeShown) {
  for (const auto& entry : std::filesystem::directory_iterator(TRAINYARD_SOURCE_DIR "/platforms")) {
    if (entry.path().extension() != ".xml") continue;
    const Outcome outcome = Workplace().run({"platform", "show", entry.path().string()});
    EXPECT_EQ(outcome.code, 0) << entry.path() << outcome.err;
    EXPECT_LE(lines_of(outcome.out).size(), 24U) << entry.path();
    EXPECT_LE(longest_line(outcome.out), 100U) << entry.path();
  }
}

TEST(Manners, APlainPlatformIsShownWithRoundNumbers) {
  const Workplace place;
  place.write("p.xml", replaced(fixture("plain.xml"), "1us", "50us"));
  const Outcome outcome = place.run({"platform", "show", "p.xml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("1 GB/s    50 us"), std::string::npos) << outcome.out;
}

TEST(Manners, NobodyReadingTheOutputDoesNotHarmTheResults) {
  Workplace place;
  place.write("e.yaml", one_job());
  place.closed_output = true;
  EXPECT_EQ(place.run({"run", "e.yaml", "-o", "out"}).code, 128 + SIGPIPE);
  EXPECT_EQ(place.listing("out").size(), 13U);
}

}  // namespace

}  // namespace trainyard::testing
