// `trainyard golden`: recorded decisions of a real Slurm, decided again and compared.

#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "report/table.hpp"
#include "schedulers/slurm/golden/compare.hpp"
#include "schedulers/slurm/golden/decisions.hpp"
#include "schedulers/slurm/golden/known_mismatches.hpp"
#include "schedulers/slurm/site/unverified.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace trainyard {

namespace {

namespace fs = std::filesystem;
using namespace slurm;

// Neither the user's fault nor ours: the result of the comparison.
class Mismatch final : public Error {
public:
  using Error::Error;
  int exit_code() const override { return 1; }
};

bool is_scenario(const fs::path& folder) { return fs::exists(folder / "slurm.conf"); }

std::vector<std::string> scenarios_of(const std::vector<std::string>& folders) {
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(folder)) throw InputError({folder}, "", "is no folder");
    if (is_scenario(folder)) {
      found.push_back(folder);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.is_directory() && is_scenario(entry.path()))
        inside.push_back(entry.path().string());
    if (inside.empty()) throw InputError({folder}, "", "holds no scenario (no slurm.conf)");
    std::sort(inside.begin(), inside.end());
    found.insert(found.end(), inside.begin(), inside.end());
  }
  return found;
}

class Golden {
public:
  explicit Golden(const GoldenOptions& options) : options_(options) {}

  void check(const std::string& folder) {
    const GoldenScenario scenario = read_scenario(folder);
    const GoldenReplay replay = replay_scenario(scenario);
    const std::vector<DecisionCheck> decisions = check_decisions(scenario);
    const auto same = std::count_if(decisions.begin(), decisions.end(),
                                    [](const DecisionCheck& each) { return each.matches(); });
    const bool placed = same == static_cast<std::ptrdiff_t>(decisions.size());
    const char* known = known_mismatch(scenario.name);
    const bool surprise = !placed || replay.comparison.matches() == (known != nullptr);
    surprises_ += surprise ? 1 : 0;
    if (!replay.comparison.matches() || !placed || surprise || options_.all)
      print(scenario, replay, decisions, known);
    table_.add({scenario.name, std::to_string(replay.comparison.runs), verdict(replay, known),
                std::to_string(same) + "/" + std::to_string(decisions.size())});
  }

  void finish() const {
    std::cout << table_.text();
    if (surprises_ > 0)
      throw Mismatch(counted(surprises_, "scenario") + " decided otherwise than expected");
  }

private:
  static std::string verdict(const GoldenReplay& replay, const char* known) {
    if (replay.comparison.matches()) return known ? "matches again" : "matches";
    return known ? "known mismatch" : "MISMATCH";
  }

  static void print(const GoldenScenario& scenario, const GoldenReplay& replay,
                    const std::vector<DecisionCheck>& decisions, const char* known) {
    std::cout << scenario.name << ": " << verdict(replay, known) << '\n';
    if (!scenario.question.empty()) std::cout << "  " << scenario.question << '\n';
    for (const std::string& rule : unverified_rules(scenario.site, scenario.jobs))
      std::cout << "  unverified: " << rule << '\n';
    if (known) std::cout << "  known: " << known << '\n';
    for (const std::string& difference : replay.comparison.differences)
      std::cout << "  - " << difference << '\n';
    for (const DecisionCheck& each : decisions)
      if (!each.matches())
        std::cout << "  - placement of " << each.id << " at " << fixed(each.time, 3) << " ("
                  << each.mechanism << "): " << (each.got.empty() ? "none" : each.got) << ", not "
                  << each.expected << '\n';
    std::cout << replay.side_by_side << '\n';
  }

  const GoldenOptions& options_;
  Table table_{{{"scenario", Align::Left},
                {"runs", Align::Right},
                {"replay", Align::Left},
                {"placements", Align::Right}}};
  int surprises_ = 0;
};

}  // namespace

void golden_command(const GoldenOptions& options) {
  Golden golden(options);
  for (const std::string& folder : scenarios_of(options.folders)) golden.check(folder);
  golden.finish();
}

}  // namespace trainyard
