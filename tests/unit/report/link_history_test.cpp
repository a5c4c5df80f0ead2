#include "report/link_history.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

double sum(const LinkHistory& history) {
  double all = 0;
  for (const auto& [key, bytes] : history.bytes()) all += bytes;
  return all;
}

TEST(LinkHistory, SpreadsWhatIsMovedEvenlyOverItsBins) {
  LinkHistory history(Seconds(10));
  history.add(Seconds(5), Seconds(25), {200, 0});
  const std::map<std::pair<std::int64_t, LinkId>, double> expected = {
      {{0, LinkId(0)}, 50}, {{1, LinkId(0)}, 100}, {{2, LinkId(0)}, 50}};
  EXPECT_EQ(history.bytes(), expected);
}

TEST(LinkHistory, HasLongerBinsRatherThanTooMany) {
  LinkHistory history(Seconds(1));
  for (int second = 0; second < 3 * LinkHistory::kMostBins; ++second)
    history.add(Seconds(second), Seconds(second + 1), {1, 2});
  EXPECT_EQ(history.bin(), Seconds(4));
  EXPECT_NEAR(sum(history), 3.0 * 3 * LinkHistory::kMostBins, 1e-6);
  EXPECT_EQ(history.bytes().begin()->second, 4);
}

}  // namespace
}  // namespace trainyard
