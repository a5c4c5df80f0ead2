// The checker is itself checked: it must see whatever is broken in a schedule.
#include "collectives/verify.hpp"

#include "base/rng.hpp"
#include "cases.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace trainyard {
namespace {

using testing::HasSubstr;

const Collective kBroadcast{CollectiveKind::Broadcast, 3, bytes(9)};
const Collective kAllReduce{CollectiveKind::AllReduce, 2, bytes(8)};

Transfer copy(int from, int to, int chunk) { return {Rank{from}, Rank{to}, chunk, false}; }
Transfer add(int from, int to, int chunk) { return {Rank{from}, Rank{to}, chunk, true}; }

TEST(Verify, AcceptsAnExchangeInOneStepBecauseTransfersCarryWhatWasHeldBeforeIt) {
  EXPECT_EQ(verify(kAllReduce, {2, 1, {{add(0, 1, 0), add(1, 0, 0)}}}), "");
}

TEST(Verify, NamesTheRankAndChunkThatAContributionIsMissingFrom) {
  EXPECT_EQ(verify(kAllReduce, {2, 1, {{add(0, 1, 0)}}}),
            "at the end: chunk 0 at rank 0: misses the contribution of rank 1");
}

TEST(Verify, RefusesToAddAContributionTwice) {
  EXPECT_EQ(verify(kAllReduce, {2, 1, {{add(0, 1, 0)}, {add(0, 1, 0)}}}),
            "step 1: chunk 0 at rank 1: a contribution that rank 0 sends was added before");
}

TEST(Verify, RefusesATransferOfWhatTheSenderDoesNotHoldYet) {
  EXPECT_EQ(verify(kBroadcast, {3, 1, {{copy(0, 1, 0), copy(1, 2, 0)}}}),
            "step 0: chunk 0 from rank 1 to rank 2: the sender does not hold it");
}

TEST(Verify, RefusesToAddToNothing) {
  EXPECT_EQ(verify(kBroadcast, {3, 1, {{add(0, 1, 0)}}}),
            "step 0: chunk 0 at rank 1: nothing there to add to");
}

TEST(Verify, RefusesAnOutcomeThatDependsOnWhichTransferEndsFirst) {
  EXPECT_EQ(verify(kBroadcast, {3, 1, {{copy(0, 1, 0), copy(0, 1, 0)}}}),
            "step 0: chunk 0 at rank 1: overwritten and written again in one step");
}

TEST(Verify, LetsASwitchAddToNothingAndRequiresNothingOfIt) {
  const Step up = {add(0, 2, 0), add(1, 2, 0)};
  const Step down = {copy(2, 0, 0), copy(2, 1, 0)};
  EXPECT_EQ(verify(kAllReduce, {2, 1, {up, down}, Pace::Streamed, /*switches=*/1}), "");
  EXPECT_THAT(verify(kAllReduce, {2, 1, {up, down}}), HasSubstr("no such pair"));
  EXPECT_THAT(verify(kAllReduce, {2, 1, {down}, Pace::Streamed, 1}), HasSubstr("does not hold it"));
}

TEST(Verify, ForgetsASumThatIsOverwritten) {
  const Collective all_reduce{CollectiveKind::AllReduce, 3, bytes(9)};
  const Step result = {copy(1, 0, 0), copy(1, 2, 0)};
  EXPECT_EQ(verify(all_reduce, {3, 1, {{add(0, 1, 0)}, {add(2, 1, 0)}, result}}), "");
  EXPECT_EQ(verify(all_reduce, {3, 1, {{add(0, 1, 0)}, {copy(2, 1, 0)}, result}}),
            "at the end: chunk 0 at rank 0: misses the contribution of rank 0");
}

TEST(Verify, RefusesRanksAndChunksThatDoNotExist) {
  EXPECT_THAT(verify(kBroadcast, {3, 1, {{copy(0, 3, 0)}}}), HasSubstr("no such pair"));
  EXPECT_THAT(verify(kBroadcast, {3, 1, {{copy(0, 0, 0)}}}), HasSubstr("no such pair"));
  EXPECT_THAT(verify(kBroadcast, {3, 1, {{copy(0, 1, 1)}}}), HasSubstr("no such chunk"));
}

TEST(Verify, RefusesAScheduleOfAnotherShape) {
  EXPECT_THAT(verify(kBroadcast, {4, 1, {}}), HasSubstr("4 ranks, the collective has 3"));
  EXPECT_THAT(verify({CollectiveKind::AllGather, 3, bytes(9)}, {3, 4, {}}),
              HasSubstr("4 chunks cannot be shared out among 3"));
  EXPECT_THAT(verify({CollectiveKind::AllToAll, 3, bytes(9)}, {3, 3, {}}),
              HasSubstr("a chunk for every pair"));
}

TEST(Verify, CarriesMoreRanksThanAMachineWordHasBits) {
  const Collective all_reduce{CollectiveKind::AllReduce, 130, bytes(1000)};
  Schedule schedule = find_algorithm(CollectiveKind::AllReduce, "ring")->expand(all_reduce);
  EXPECT_EQ(verify(all_reduce, schedule), "");
  schedule.steps.pop_back();
  EXPECT_NE(verify(all_reduce, schedule), "");
}

// ---- Mutations ----
//
// Almost every registered schedule is minimal: each rank gets each chunk exactly as often as it
// must. So any of these breaks it, wherever it is made. (Not so where an NVSwitch copies to all,
// the owner included, nor in a barrier, which may hear the same twice. Another receiver does not
// always: a ring may pass a contribution round in another order and still be right.)

bool is_minimal(const AlgorithmEntry& algorithm) {
  return !is_named(algorithm, {"nvls", "nvls_tree", "dissemination"});
}

using Mutation = void (*)(Schedule& schedule, Step& step, std::size_t index);

void lose(Schedule&, Step& step, std::size_t index) {
  step.erase(step.begin() + static_cast<std::ptrdiff_t>(index));
}
void repeat_at_once(Schedule&, Step& step, std::size_t index) {
  step.push_back(Transfer(step[index]));
  step.back().reduce = true;
}
void swap_peers(Schedule&, Step& step, std::size_t index) {
  std::swap(step[index].from, step[index].to);
}
void take_next_chunk(Schedule& schedule, Step& step, std::size_t index) {
  const int next = step[index].chunk + 1;
  step[index].chunk = schedule.chunks == 1 ? next : next % schedule.chunks;
}
void confuse_adding_with_copying(Schedule&, Step& step, std::size_t index) {
  step[index].reduce = !step[index].reduce;
}
void lose_the_step(Schedule&, Step& step, std::size_t) { step.clear(); }

const Mutation kMutations[] = {lose,       repeat_at_once,  lose_the_step,
                               swap_peers, take_next_chunk, confuse_adding_with_copying};

// Breaks one transfer, drawn at random, in each of these ways.
void expect_mutations_are_caught(const Collective& collective, const Schedule& good,
                                 RandomStream& random) {
  for (const Mutation mutate : kMutations) {
    Schedule bad = good;
    Step& step = bad.steps[random.below(bad.steps.size())];
    mutate(bad, step, random.below(step.size()));
    EXPECT_NE(verify(collective, bad), "") << "mutation " << (&mutate - kMutations);
  }
}

TEST(Verify, CatchesEveryMutationOfEveryAlgorithm) {
  RandomStream random = RandomSource(1).stream("mutations");
  for (const AlgorithmEntry& algorithm : algorithms())
    for (int ranks = 2; ranks <= 12; ++ranks)
      for (const Collective& collective : collectives_of(algorithm, ranks, mebibytes(4))) {
        if (!is_minimal(algorithm)) continue;
        SCOPED_TRACE(describe(algorithm, collective));
        const Schedule good = algorithm.expand(collective);
        for (int draw = 0; draw < 10; ++draw) expect_mutations_are_caught(collective, good, random);
        if (HasFailure()) return;
      }
}

// The reduction of a step that is played again, later, counts its ranks twice.
TEST(Verify, CatchesAStepThatReducesTwice) {
  for (const AlgorithmEntry& algorithm : algorithms()) {
    const Collective collective{algorithm.kind, 12, mebibytes(4), 4};
    if (!algorithm.applies(collective) || !is_minimal(algorithm)) continue;
    const Schedule good = algorithm.expand(collective);
    for (std::size_t k = 0; k < good.steps.size(); ++k) {
      if (!good.steps[k].front().reduce) continue;
      Schedule bad = good;
      bad.steps.insert(bad.steps.begin() + static_cast<std::ptrdiff_t>(k), good.steps[k]);
      EXPECT_NE(verify(collective, bad), "") << describe(algorithm, collective) << ", step " << k;
    }
  }
}

}  // namespace
}  // namespace trainyard
