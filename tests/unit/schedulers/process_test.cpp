// A policy outside the program: what it is told, what it may say, and every way in which it fails.
#include "base/error.hpp"
#include "base/text.hpp"
#include "schedulers/process/messages.hpp"
#include "unit/schedulers/world.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace trainyard {
namespace {

const std::string kExample =
    std::string(TRAINYARD_SOURCE_DIR) + "/schedulers/process/largest_first.py";

std::unique_ptr<SchedulingPolicy> program(const std::vector<std::string>& words,
                                          Seconds timeout = seconds(20)) {
  PolicyOptions options;
  options.program.words = words;
  options.program.timeout = timeout;
  for (const PolicyEntry& entry : policies())
    if (entry.name == std::string("process")) return entry.make(options);
  throw std::logic_error("no policy process");
}

// A program that greets and then answers every question with this.
std::vector<std::string> saying(const std::string& answer) {
  return {"sh", "-c",
          "read hello; echo '{\"protocol\": 1}'; while read q; do " + answer + "; done"};
}

std::string failure_of(const std::vector<std::string>& words, Seconds timeout = seconds(20)) {
  World world(small_platform(2, 4));
  world.submit({4, forever(), 0, 4});
  try {
    program(words, timeout)->decide(world.view(seconds(12)), *placement_named("first_fit"));
  } catch (const ExternalError& error) {
    EXPECT_EQ(error.exit_code(), 5);
    const std::string text = error.what(), name = join(words, " ");
    EXPECT_EQ(text.substr(0, name.size() + 2), name + ": ");
    return text.substr(name.size() + 2);
  }
  return "accepted";
}

TEST(ProcessPolicy, TheExampleStartsTheLargestJobsFirst) {
  World world(small_platform(2, 4));
  world.submit({1});
  world.submit({4, forever(), 0, 2});
  world.submit({5});
  world.submit({3});
  const auto policy = program({"python3", kExample});
  const auto placement = placement_named("first_fit");
  const std::vector<Decision> decisions = policy->decide(world.view(), *placement);
  EXPECT_EQ(in_words(decisions),
            (std::vector<std::string>{"start 2 on 0 1 2 3 4", "start 3 on 5 6 7"}));
  world.carry_out(decisions);
  world.end(JobId(2));
  EXPECT_EQ(in_words(policy->decide(world.view(seconds(5)), *placement)),
            (std::vector<std::string>{"start 1 on 0 1 2 3", "start 0 on 4"}));
}

TEST(ProcessPolicy, TheExampleSaysOnlyWhatIsValidOnRandomViews) {
  RandomStream random(31);
  for (int round = 0; round < 20; ++round) {
    const auto world = random_world(random);
    const auto policy = program({"python3", kExample});
    const auto decisions = policy->decide(world->view(seconds(10)), *placement_named("random"));
    ASSERT_NO_THROW(world->carry_out(decisions));
  }
}

TEST(ProcessPolicy, IsToldOfNodesThenOfWhatIsFreePendingAndRunning) {
  World world(small_platform(2, 2));
  world.run({1, seconds(60), 3}, {1}, seconds(5));
  world.submit({2, forever(), 0, 2});
  EXPECT_EQ(hello_text(world.platform()),
            R"({"type":"hello","protocol":1,"platform":"","nodes":[{"name":"node0","leaf":0,)"
            R"("gpus":[0,1]},{"name":"node1","leaf":1,"gpus":[2,3]}]})");
  EXPECT_EQ(question_text(world.view(seconds(7))),
            R"({"type":"decide","now_s":7.0,"free":[[0],[2,3]],"preemption_is_immediate":true,)"
            R"("pending":[{"id":1,"name":"","gpus":2,"gpus_per_block":2,"limit_s":null,)"
            R"("priority":0,"submit_s":1.0}],)"
            R"("running":[{"id":0,"name":"","gpus":1,"gpus_per_block":1,"limit_s":60.0,)"
            R"("priority":3,"submit_s":0.0,"on":[1],"started_s":5.0,"since_s":5.0,)"
            R"("releasing":false}],"suspended":[]})");
}

TEST(ProcessPolicy, AStartWithoutGpusGoesWhereThePlacementPutsIt) {
  World world(small_platform(2, 4));
  world.submit({2});
  const auto policy = program(saying(R"(echo '{"decisions": [{"start": 0}], "wake_s": 99}')"));
  EXPECT_EQ(in_words(policy->decide(world.view(), *placement_named("first_fit"))),
            (std::vector<std::string>{"start 0 on 0 1"}));
  EXPECT_EQ(policy->wake(world.view()), seconds(99));
}

TEST(ProcessPolicy, AProgramThatDoesNotAnswerIsNamedWithWhatItDid) {
  EXPECT_EQ(failure_of({"/no/such/program"}), "cannot be started in .: No such file or directory");
  EXPECT_EQ(failure_of({"false"}), "ended with exit code 1 instead of answering 'hello'");
  EXPECT_EQ(failure_of(saying("exit 3")),
            "ended with exit code 3 instead of answering the decision at t=12.000 s");
  EXPECT_EQ(failure_of(saying("kill -9 $$")),
            "was ended by signal 9 instead of answering the decision at t=12.000 s");
  EXPECT_EQ(failure_of({"sleep", "60"}, milliseconds(100)),
            "gave no answer within 0.1 s to 'hello'");
}

std::string refusal_of(const std::string& answer) {
  World world(small_platform(2, 4));
  world.submit({4, forever(), 0, 2});
  world.run({1}, {7});
  try {
    read_answer(answer, world.view(seconds(1)), *placement_named("first_fit"));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ProcessPolicy, AnAnswerThatIsNotValidIsRefusedWithTheReason) {
  const auto decision = [](const std::string& text) {
    return refusal_of("{\"decisions\": [" + text + "]}");
  };
  EXPECT_EQ(refusal_of("hello"), "it must be a JSON object on one line");
  EXPECT_EQ(refusal_of("{}"), "'decisions' must be a list");
  EXPECT_EQ(refusal_of(R"({"decision": []})"), "unknown key 'decision'; did you mean 'decisions'?");
  EXPECT_EQ(refusal_of(R"({"decisions": [], "wake_s": 1})"),
            "'wake_s' must be a time that is still to come");
  EXPECT_EQ(decision("{}"),
            "decisions[0]: must have one of start, preempt, suspend, resume, resize");
  EXPECT_EQ(decision(R"({"start": 1})"), "decisions[0]: job 1 is not pending");
  EXPECT_EQ(decision(R"({"start": 0, "gpus": [0, 1]})"),
            "decisions[0]: job 0 asks for 4 GPUs and is given 2");
  EXPECT_EQ(decision(R"({"start": 0, "gpus": [0, 1, 2, 99]})"), "decisions[0]: there is no GPU 99");
  EXPECT_EQ(decision(R"({"start": 0, "gpus": [0, 1, 1, 2]})"),
            "decisions[0]: GPU 1 is given twice");
  EXPECT_EQ(decision(R"({"start": 0, "gpus": [4, 5, 6, 7]})"), "decisions[0]: GPU 7 is not free");
  EXPECT_EQ(
      decision(R"({"start": 0, "gpus": [0, 1, 2, 4]})"),
      "decisions[0]: blocks of 2 GPUs of job 0 must be on one node each; rank 3 is on another");
  EXPECT_EQ(decision(R"({"preempt": 1, "for": 0}, {"suspend": 1})"),
            "decisions[1]: job 1 has its decision already");
  EXPECT_EQ(decision(R"({"preempt": 1})"), "decisions[0]: preempt needs 'for', a job's id");
  EXPECT_EQ(decision(R"({"suspend": 0})"), "decisions[0]: job 0 is not running");
  EXPECT_EQ(decision(R"({"resume": 1})"), "decisions[0]: job 1 is not suspended");
  EXPECT_EQ(decision(R"({"preempt": 1, "for": 0}, {"start": 0, "gpus": [4, 5, 6, 7]})"),
            "accepted");
}

TEST(ProcessPolicy, ABadAnswerIsQuoted) {
  EXPECT_EQ(
      failure_of(saying("echo nonsense")),
      "its answer to the decision at t=12.000 s is wrong: it must be a JSON object on one line; "
      "it said nonsense");
}

// ---- Elastic jobs ----

std::string problem_of(const World& world, const std::string& answer) {
  try {
    read_answer(answer, world.view(), *placement_named("first_fit"));
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "accepted";
}

TEST(ProcessPolicy, StartsAndResizesElasticJobsWithinTheirSizes) {
  World world(small_platform(2, 4));
  world.run({2, forever(), 0, 1, {2, 4}}, {0, 1});
  world.submit({2, forever(), 0, 1, {2, 4}});
  world.submit({1});
  const Answer answer =
      read_answer(R"({"decisions": [{"resize": 0, "size": 4}, {"start": 1, "size": 4}]})",
                  world.view(), *placement_named("first_fit"));
  EXPECT_EQ(in_words(answer.decisions),
            (std::vector<std::string>{"resize 0 to 4", "start 1 on 2 3 4 5"}));
  EXPECT_EQ(problem_of(world, R"({"decisions": [{"resize": 0, "size": 3}]})"),
            "decisions[0]: job 0 has other sizes and is given 3");
  EXPECT_EQ(problem_of(world, R"({"decisions": [{"resize": 0, "size": 2}]})"),
            "decisions[0]: job 0 has 2 GPUs already");
  EXPECT_EQ(problem_of(world, R"({"decisions": [{"resize": 1, "size": 4}]})"),
            "decisions[0]: job 1 is not running");
  EXPECT_EQ(problem_of(world, R"({"decisions": [{"start": 2, "size": 2}]})"),
            "decisions[0]: job 2 asks for 1 GPUs and is given 2");
  world.carry_out(answer.decisions);
  EXPECT_NE(question_text(world.view()).find(R"("sizes":[2,4],"resizing_to":4,"on":[0,1])"),
            std::string::npos);
}

TEST(ProcessPolicy, ADecisionHasOneVerbAndNumbersInRange) {
  World world(small_platform(2, 4));
  world.run({2}, {0, 1});
  world.submit({2});
  EXPECT_EQ(problem_of(world, R"({"decisions": [{"start": 1, "suspend": 0}]})"),
            "decisions[0]: has two verbs, start and suspend; a decision has one");
  EXPECT_EQ(problem_of(world, R"({"decisions": [{"start": 4294967297}]})"),
            "decisions[0]: start must be a job's id");
  EXPECT_EQ(problem_of(world, R"({"decisions": [{"start": -1}]})"),
            "decisions[0]: start must be a job's id");
  EXPECT_EQ(
      problem_of(world, R"({"decisions": [{"start": 1, "gpus": [2, 18446744073709551615]}]})"),
      "decisions[0]: gpus must be a list of GPUs' numbers");
}

TEST(ProcessPolicy, AnEndlessAnswerIsCutShort) {
  EXPECT_EQ(
      failure_of({"sh", "-c", "read hello; echo '{\"protocol\": 1}'; read q; yes x | tr -d '\\n'"}),
      "its answer to the decision at t=12.000 s is longer than 64 MiB");
}

}  // namespace
}  // namespace trainyard
