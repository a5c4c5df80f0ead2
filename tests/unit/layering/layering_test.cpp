// The staircase, kept by a test: it reads the source files' include lines and fails on the first
// that climbs, on foreign libraries that leave their place, and on SimGrid calls known to be traps.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

using Strings = std::vector<std::string>;

const Strings kStaircase = {"base",    "config", "platforms", "collectives", "workload", "report",
                            "network", "sim",    "actors",    "schedulers",  "study",    "app"};

struct SourceFile {
  std::string path;  // relative to the top: "src/base/text.cpp"
  std::string text;
};

// A library and the only files that may include it.
struct Fence {
  const char* library;
  const char* header;   // as it is written between <> or ""
  const char* allowed;  // path
};
const Fence kFences[] = {
    {"SimGrid", "(simgrid|xbt)/.*",
     "src/network/(fabric_zone|plain_platform|simgrid_)[^/]*|src/network/[^/]*_model[^/]*|"
     "src/sim/.*|actors/.*|schedulers/controller[^/]*"},
    {"yaml-cpp", "yaml-cpp/.*", R"(src/config/[^/]*\.cpp)"},
    {"pugixml", R"((pugixml|pugiconfig)\.hpp)",
     R"(platforms/xml(_file)?\.[ch]pp|platforms/importers/nccl_[^/]*)"},
    {"a slow header", "(spdlog|fmt|CLI|nlohmann)/.*", R"(.*\.cpp)"},
};

// Why each is a trap: it returns early; it counts the dead and has no timeout; it does nothing for
// host-to-host communications; its order is that of names as text.
struct Trap {
  const char* call;
  const char* allowed;
};
const Trap kTraps[] = {
    {R"(\brun_until\b)", ""},
    {R"(s4u::Barrier\b|\bBarrierPtr\b)", ""},
    {R"(\bset_rate\b)", ""},
    {R"(\bget_all_hosts\b)", "src/network/plain_platform[^/]*"},
};

bool matches(const std::string& text, const std::string& pattern) {
  return std::regex_match(text, std::regex(pattern));
}

// "src/base/text.cpp" and "base/text.hpp" are both of "base".
std::string module_of(std::string path) {
  if (path.rfind("src/", 0) == 0) path.erase(0, 4);
  return path.substr(0, path.find('/'));
}

// The step of a module; past the end for what is none.
std::ptrdiff_t step(const std::string& module) {
  return std::find(kStaircase.begin(), kStaircase.end(), module) - kStaircase.begin();
}

Strings lines_of(const std::string& text) {
  Strings lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line.substr(0, line.find("//")));  // comments may name the traps
  return lines;
}

// What an include line climbs to or reaches for, or "".
std::string include_problem(const std::string& path, const std::string& header, bool is_ours) {
  for (const Fence& fence : kFences)
    if (matches(header, fence.header) && !matches(path, fence.allowed))
      return "includes " + std::string(fence.library) + " (" + header + ") where it is not allowed";
  if (!is_ours || header == "pugixml.hpp") return "";
  const auto to = step(module_of(header));
  if (to == static_cast<std::ptrdiff_t>(kStaircase.size()))
    return "includes \"" + header + "\", which is not named from its module";
  return to > step(module_of(path)) ? "climbs the staircase to " + header : "";
}

Strings problems_of(const SourceFile& file) {
  const std::regex include_line(R"(\s*#\s*include\s*([<"])([^>"]*)[>"].*)");
  Strings problems;
  int number = 0;
  for (const std::string& line : lines_of(file.text)) {
    const std::string place = file.path + ":" + std::to_string(++number) + ": ";
    std::smatch include;
    if (std::regex_match(line, include, include_line)) {
      const std::string problem = include_problem(file.path, include[2], include[1] == "\"");
      if (!problem.empty()) problems.push_back(place + problem);
    }
    for (const Trap& trap : kTraps)
      if (std::regex_search(line, std::regex(trap.call)) && !matches(file.path, trap.allowed))
        problems.push_back((place + "uses a SimGrid call that is a trap: ").append(line));
  }
  return problems;
}

std::vector<SourceFile> source_files() {
  const fs::path top = TRAINYARD_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const char* folder : {"platforms", "actors", "schedulers", "src"}) {
    if (!fs::exists(top / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
      if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      files.push_back({fs::relative(entry.path(), top).generic_string(), text.str()});
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

TEST(Layering, NoFileClimbsTheStaircaseOrReachesForWhatIsNotItsOwn) {
  const std::vector<SourceFile> files = source_files();
  ASSERT_GT(files.size(), 20U) << "no sources below " << TRAINYARD_SOURCE_DIR;
  for (const SourceFile& file : files)
    for (const std::string& problem : problems_of(file)) ADD_FAILURE() << problem;
}

TEST(Layering, EveryFileBelongsToAStep) {
  for (const SourceFile& file : source_files())
    EXPECT_LT(step(module_of(file.path)), static_cast<std::ptrdiff_t>(kStaircase.size()))
        << file.path;
}

// The checker itself, on files that are wrong.

std::string only_problem(const std::string& path, const std::string& line) {
  const Strings problems = problems_of({path, "// a file\n" + line + "\n"});
  return problems.size() == 1 ? problems[0] : std::to_string(problems.size()) + " problems";
}

TEST(LayeringChecker, FindsAnIncludeThatClimbs) {
  EXPECT_EQ(only_problem("src/base/text.cpp", "#include \"config/units.hpp\""),
            "src/base/text.cpp:2: climbs the staircase to config/units.hpp");
  EXPECT_EQ(only_problem("src/network/routing.cpp", "#include \"schedulers/policy.hpp\""),
            "src/network/routing.cpp:2: climbs the staircase to schedulers/policy.hpp");
  EXPECT_EQ(only_problem("schedulers/fifo.cpp", "#include \"actors/trainer.hpp\""), "0 problems");
  EXPECT_EQ(only_problem("src/base/text.cpp", "#include \"text.hpp\""),
            "src/base/text.cpp:2: includes \"text.hpp\", which is not named from its module");
}

TEST(LayeringChecker, FindsALibraryOutsideItsPlace) {
  const std::string simgrid = "#include <simgrid/s4u.hpp>";
  EXPECT_EQ(only_problem("schedulers/fifo.cpp", simgrid),
            "schedulers/fifo.cpp:2: includes SimGrid (simgrid/s4u.hpp) where it is not allowed");
  EXPECT_EQ(only_problem("src/network/routing.cpp", "#include <xbt/log.h>"),
            "src/network/routing.cpp:2: includes SimGrid (xbt/log.h) where it is not allowed");
  for (const char* path :
       {"schedulers/controller.cpp", "actors/trainer.hpp", "src/sim/messages.hpp",
        "src/network/fabric_zone.cpp", "src/network/flow_model.hpp"})
    EXPECT_EQ(only_problem(path, simgrid), "0 problems") << path;
  EXPECT_EQ(
      only_problem("src/config/section.hpp", "#include <yaml-cpp/yaml.h>"),
      "src/config/section.hpp:2: includes yaml-cpp (yaml-cpp/yaml.h) where it is not allowed");
  EXPECT_EQ(only_problem("platforms/registry.cpp", "#include <pugixml.hpp>"),
            "platforms/registry.cpp:2: includes pugixml (pugixml.hpp) where it is not allowed");
  EXPECT_EQ(only_problem("src/report/writers.hpp", "#include <nlohmann/json.hpp>"),
            "src/report/writers.hpp:2: includes a slow header (nlohmann/json.hpp) where it is not "
            "allowed");
}

TEST(LayeringChecker, FindsTrapsInCodeAndNotInComments) {
  EXPECT_EQ(only_problem("src/sim/simulation.cpp", "engine.run_until(5);"),
            "src/sim/simulation.cpp:2: uses a SimGrid call that is a trap: engine.run_until(5);");
  EXPECT_EQ(only_problem("actors/trainer.cpp", "// never an s4u::Barrier"), "0 problems");
  EXPECT_EQ(only_problem("src/network/plain_platform.cpp", "engine.get_all_hosts();"),
            "0 problems");
}

}  // namespace
