// Every allocation that the golden Slurm made, decided again from the state just before it.

#include "schedulers/slurm/golden/decisions.hpp"

#include "shared_data.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace trainyard::slurm {
namespace {

class GoldenPlacement : public testing::TestWithParam<std::string> {};

TEST_P(GoldenPlacement, IsThatOfTheRealSlurmFromTheStateJustBefore) {
  const GoldenScenario scenario = read_scenario(GetParam());
  for (const DecisionCheck& check : check_decisions(scenario))
    EXPECT_EQ(check.got, check.expected)
        << check.id << " at " << check.time << " by " << check.mechanism;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, GoldenPlacement, testing::ValuesIn(golden_scenarios()),
                         [](const testing::TestParamInfo<std::string>& scenario) {
                           return std::filesystem::path(scenario.param).filename().string();
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenPlacement);

}  // namespace
}  // namespace trainyard::slurm
