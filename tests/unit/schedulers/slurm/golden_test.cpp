// Every golden scenario: the same decisions as the real controller's.

#include "schedulers/slurm/golden/compare.hpp"
#include "schedulers/slurm/golden/known_mismatches.hpp"
#include "shared_data.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace trainyard::slurm {
namespace {

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, DecidesAsTheRealSlurm) {
  const GoldenScenario scenario = read_scenario(GetParam());
  const GoldenReplay replay = replay_scenario(scenario);
  std::string all;
  for (const std::string& difference : replay.comparison.differences)
    all += "  " + difference + "\n";
  if (const char* reason = known_mismatch(scenario.name))
    EXPECT_FALSE(replay.comparison.matches())
        << "matches again and must leave the list of known mismatches: " << reason;
  else
    EXPECT_TRUE(replay.comparison.matches()) << scenario.question << "\n"
                                             << all << replay.side_by_side;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Golden, testing::ValuesIn(golden_scenarios()),
                         [](const testing::TestParamInfo<std::string>& scenario) {
                           return std::filesystem::path(scenario.param).filename().string();
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Golden);

}  // namespace
}  // namespace trainyard::slurm
