// The policies, driven by a tiny event loop, against the textbook on a thousand random workloads.
#include "unit/schedulers/textbook.hpp"

#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <map>

namespace trainyard {
namespace {

struct Instance {
  int nodes, gpus_per_node;
  std::vector<textbook::Request> requests;
  int processors() const { return nodes * gpus_per_node; }
};

// Short times and large jobs: queues form, and many things happen at the same second.
Instance random_instance(RandomStream& random) {
  const auto up_to = [&](int bound) {
    return 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
  };
  Instance instance{up_to(4), up_to(8), {}};
  const int spacing = up_to(6);
  long submit = 0;
  for (int job = 5 + up_to(35); job > 0; --job) {
    submit += up_to(spacing) - 1;
    const long run_time = up_to(15);
    const long slack = random.below(2) == 0 ? 0 : up_to(20);
    const int most = random.below(2) == 0 ? instance.processors() : up_to(instance.processors());
    instance.requests.push_back({submit, run_time, run_time + slack, up_to(most)});
  }
  return instance;
}

// Submissions and ends, in time order; whatever happens at one time is one decision.
std::vector<long> start_times(const std::string& policy_name, const std::string& placement_name,
                              const Instance& instance) {
  World world(small_platform(instance.nodes, instance.gpus_per_node, 2));
  const auto policy = policy_named(policy_name);
  const auto placement = placement_named(placement_name);
  std::multimap<long, JobId> ends;
  std::vector<long> started(instance.requests.size(), -1);
  std::size_t next = 0;
  while (next < instance.requests.size() || !ends.empty()) {
    const bool submits = next < instance.requests.size() &&
                         (ends.empty() || instance.requests[next].submit <= ends.begin()->first);
    const long now = submits ? instance.requests[next].submit : ends.begin()->first;
    for (; !ends.empty() && ends.begin()->first == now; ends.erase(ends.begin()))
      world.end(ends.begin()->second);
    for (; next < instance.requests.size() && instance.requests[next].submit == now; ++next)
      world.submit({instance.requests[next].processors,
                    seconds(static_cast<double>(instance.requests[next].estimate))});
    const Seconds time = seconds(static_cast<double>(now));
    const std::vector<Decision> decisions = policy->decide(world.view(time), *placement);
    world.carry_out(decisions, time);
    for (const Decision& decision : decisions) {
      const JobId job = std::get<Start>(decision).job;
      started[job.index()] = now;
      ends.emplace(now + instance.requests[job.index()].run_time, job);
    }
  }
  return started;
}

TEST(Textbook, FcfsStartsEveryJobWhenFifoDoes) {
  RandomStream random(1);
  for (int round = 0; round < 1000; ++round) {
    const Instance instance = random_instance(random);
    const char* placement = placements()[random.below(placements().size())].name;
    ASSERT_EQ(start_times("fifo", placement, instance),
              textbook::fcfs(instance.processors(), instance.requests))
        << "round " << round << ", " << placement;
  }
}

TEST(Textbook, EasyStartsEveryJobWhenBackfillDoes) {
  RandomStream random(2);
  int differ_from_fcfs = 0;
  for (int round = 0; round < 1000; ++round) {
    const Instance instance = random_instance(random);
    const char* placement = placements()[random.below(placements().size())].name;
    const std::vector<long> easy = textbook::easy(instance.processors(), instance.requests);
    ASSERT_EQ(start_times("backfill", placement, instance), easy)
        << "round " << round << ", " << placement;
    if (easy != textbook::fcfs(instance.processors(), instance.requests)) ++differ_from_fcfs;
  }
  EXPECT_GT(differ_from_fcfs, 500) << "or the workloads are too easy to tell the two apart";
}

TEST(Textbook, ConservativeStartsEveryJobWhenConservativeBackfillDoes) {
  RandomStream random(3);
  int differ_from_easy = 0;
  for (int round = 0; round < 1000; ++round) {
    const Instance instance = random_instance(random);
    const char* placement = placements()[random.below(placements().size())].name;
    const std::vector<long> expected =
        textbook::conservative(instance.processors(), instance.requests);
    ASSERT_EQ(start_times("conservative", placement, instance), expected)
        << "round " << round << ", " << placement;
    if (expected != textbook::easy(instance.processors(), instance.requests)) ++differ_from_easy;
  }
  EXPECT_GT(differ_from_easy, 100) << "or the workloads are too easy to tell the two apart";
}

TEST(Textbook, TheShortestGoesFirstWhenShortestFirstDecides) {
  RandomStream random(4);
  for (int round = 0; round < 1000; ++round) {
    const Instance instance = random_instance(random);
    const char* placement = placements()[random.below(placements().size())].name;
    ASSERT_EQ(start_times("shortest_first", placement, instance),
              textbook::shortest_first(instance.processors(), instance.requests))
        << "round " << round << ", " << placement;
  }
}

// Eight processors: A takes six for 10 s, B wants six for 10 s, C all eight for 5 s, D two for 30
// s. D delays only C, to whom EASY has promised nothing.
TEST(Textbook, ConservativeBackfillKeepsPromisesThatEasyDoesNotMake) {
  const std::vector<textbook::Request> requests = {
      {0, 10, 10, 6}, {0, 10, 10, 6}, {0, 5, 5, 8}, {0, 30, 30, 2}};
  EXPECT_EQ(textbook::easy(8, requests), (std::vector<long>{0, 10, 30, 0}));
  EXPECT_EQ(textbook::conservative(8, requests), (std::vector<long>{0, 10, 20, 25}));
}

// Eight processors: A takes six for 10 s. B wants eight. C (two, 10 s) ends with A; D (two, 11 s)
// would delay B.
TEST(Textbook, EasyDoesWhatItsPaperSays) {
  const std::vector<textbook::Request> requests = {
      {0, 10, 10, 6}, {0, 5, 5, 8}, {0, 11, 11, 2}, {0, 10, 10, 2}};
  EXPECT_EQ(textbook::fcfs(8, requests), (std::vector<long>{0, 10, 15, 15}));
  EXPECT_EQ(textbook::easy(8, requests), (std::vector<long>{0, 10, 15, 0}));
}

}  // namespace
}  // namespace trainyard
