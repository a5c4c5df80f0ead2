// Whatever happens at whatever moment, the books balance: random clusters, jobs, failures and
// preemptions, and kills at every kind of moment of a job's life.
#include "base/rng.hpp"
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard {

namespace {

struct Checked {
  std::string yaml;
  double interval_s = 0, write_s = 0;  // of its checkpoints, by time; 0: none
};

bool is_final(JobState state) { return state == JobState::Completed || state == JobState::Timeout; }

// 1e-6 s: sums of clocks that grew to 1e6 s, each exact to 1e-10 s.
constexpr double kRounding = 1e-6;

void expect_books_balance(const AttemptRecord& attempt, const std::string& name) {
  const double wall = in_seconds(attempt.end - attempt.start);
  const double spent =
      in_seconds(attempt.restart + attempt.checkpoint + attempt.work + attempt.lost);
  EXPECT_NEAR(spent, wall, kRounding) << name;
  for (const Seconds part : {attempt.restart, attempt.checkpoint, attempt.work, attempt.lost})
    EXPECT_GE(in_seconds(part), -kRounding) << name;
  EXPECT_LE(attempt.first_step, attempt.steps_saved) << name;
  EXPECT_LE(attempt.steps_saved, attempt.steps_done) << name;
}

// Nobody holds a GPU while another does, nor while its node is down.
void expect_no_gpu_held_twice(const EventLog& log) {
  std::map<std::int32_t, std::vector<std::pair<double, double>>> held;
  for (const AttemptRecord& attempt : log.attempts)
    for (const GpuId gpu : attempt.allocation.gpus)
      held[gpu.value()].emplace_back(in_seconds(attempt.start), in_seconds(attempt.end));
  for (auto& [gpu, spans] : held) {
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i)
      EXPECT_GE(spans[i].first, spans[i - 1].second - 1e-9) << "GPU " << gpu;
  }
}

// Each attempt resumes where the last one saved; the last one is final.
void expect_lives_are_whole(const EventLog& log) {
  for (const Job& job : log.jobs) {
    const std::vector<AttemptRecord> attempts = attempts_of(log, job.name);
    ASSERT_FALSE(attempts.empty()) << job.name;
    EXPECT_TRUE(is_final(attempts.back().end_state)) << job.name;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      expect_books_balance(attempts[i], job.name);
      EXPECT_EQ(attempts[i].attempt, static_cast<int>(i)) << job.name;
      if (i == 0) continue;
      EXPECT_FALSE(is_final(attempts[i - 1].end_state)) << job.name;
      EXPECT_EQ(attempts[i].first_step, attempts[i - 1].steps_saved) << job.name;
      EXPECT_GE(in_seconds(attempts[i].start), in_seconds(attempts[i - 1].end)) << job.name;
    }
  }
}

void expect_ledger_is_whole(const Platform& platform, const EventLog& log) {
  double sum = 0;
  const double all = platform.gpu_count() * in_seconds(log.end);
  for (const LedgerClass& one : ledger(platform, log)) {
    EXPECT_GE(one.gpu_seconds, -1e-9 * all) << one.name;
    sum += one.gpu_seconds;
  }
  EXPECT_NEAR(sum, all, 1e-9 * all);
}

// What is lost is at most one interval, the step in which it ran out, the step after it that was
// in progress while the slowest rank wrote, and the write in flight.
void expect_little_is_lost(const Checked& run, const EventLog& log) {
  if (run.interval_s <= 0) return;
  std::map<std::int32_t, double> longest;
  for (const IterationRecord& record : log.iterations)
    longest[record.job.value()] =
        std::max(longest[record.job.value()], in_seconds(record.duration));
  for (const AttemptRecord& attempt : log.attempts)
    EXPECT_LE(in_seconds(attempt.lost),
              run.interval_s + 2 * longest[attempt.job.value()] + run.write_s + kRounding)
        << log.jobs[attempt.job.index()].name;
}

void check(const Checked& run, const Outcome& outcome) {
  SCOPED_TRACE(run.yaml);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const Experiment experiment = experiment_of(run.yaml);
  expect_lives_are_whole(outcome.log);
  expect_no_gpu_held_twice(outcome.log);
  expect_ledger_is_whole(experiment.platform, outcome.log);
  expect_little_is_lost(run, outcome.log);
  for (const LinkRecord& link : outcome.log.links) {
    const double most =
        in_bytes_per_second(experiment.platform.links[link.link.index()].bandwidth) *
        in_seconds(outcome.log.end);
    EXPECT_LE(link.bytes, most * (1 + 1e-9));
  }
}

void check_all(const std::vector<Checked>& runs) {
  std::vector<std::string> yamls;
  yamls.reserve(runs.size());
  for (const Checked& run : runs) yamls.push_back(run.yaml);
  const std::vector<Outcome> outcomes = run_experiments(yamls);
  for (std::size_t i = 0; i < runs.size(); ++i) check(runs[i], outcomes[i]);
}

// ---- Random experiments ----

class Dice {
public:
  explicit Dice(std::uint64_t seed) : random_(RandomSource(seed).stream("monkey")) {}
  std::string one_of(const std::vector<std::string>& words) {
    return words[random_.below(words.size())];
  }
  int from(int least, int most) {
    return least + static_cast<int>(random_.below(static_cast<std::uint64_t>(most) -
                                                  static_cast<std::uint64_t>(least) + 1));
  }
  std::string text(int least, int most) { return std::to_string(from(least, most)); }
  bool chance(double p) { return random_.uniform() < p; }

private:
  RandomStream random_;
};

std::string random_job(Dice& dice, int i) {
  std::string job = "  - {name: j" + std::to_string(i) + ", gpus: " + dice.text(1, 8) +
                    ", submit: " + dice.text(0, 2000) + " s, priority: " + dice.text(0, 3);
  if (dice.chance(0.3)) {
    job += ", run_time: " + dice.text(1, 1500) + " s";
  } else {
    job +=
        ", plan: " + dice.one_of({"small", "tensor", "coupled"}) + ", steps: " + dice.text(1, 900);
  }
  if (dice.chance(0.4)) job += ", limit: " + dice.text(100, 2500) + " s";
  return job + "}\n";
}

Checked random_experiment(std::uint64_t seed) {
  Dice dice(seed);
  Checked run;
  std::string& text = run.yaml;
  text = "platform: " + switch_platform(3, 4, 2) + R"(
plans:
  small: {layers: 2, forward: 100 ms, backward: 200 ms, gradient_per_layer: 1 GiB}
  tensor: {layers: 2, forward: 300 ms, backward: 200 ms, tensor: 4, tensor_message: 256 MiB, gradient_per_layer: 4 GiB}
  coupled: {operations: [{name: c, compute: 700 ms}, {name: t, all_reduce: 30 GB, algorithm: ring, after: [c]}]}
workload:
- jobs:
)";
  const int jobs = dice.from(3, 9);
  for (int i = 0; i < jobs; ++i) text += random_job(dice, i);
  text += "scheduler: {policy: " + dice.one_of({"fifo", "backfill", "priority_preemption"}) +
          ", placement: " + dice.one_of({"first_fit", "pack_by_leaf", "spread", "random"}) +
          ", grace: " + dice.text(1, 60) + " s}\n";
  run.interval_s = dice.chance(0.7) ? dice.from(5, 300) : 0;
  run.write_s = run.interval_s > 0 ? dice.from(0, 9) : 0;
  if (run.interval_s > 0)
    text += "checkpoint: {every: " + std::to_string(run.interval_s) +
            " s, write: " + std::to_string(run.write_s) +
            " s, on_preemption: " + dice.one_of({"yes", "no"}) + "}\n";
  text += "restart: " + dice.text(0, 40) + " s\n";
  text += "time_compression: " + dice.one_of({"on", "off"}) + "\n";
  text += "seed: " + std::to_string(seed) + "\n";
  if (dice.chance(0.7)) {
    text += "failures:\n  list:\n";
    for (int i = dice.from(1, 6); i > 0; --i)
      text += "  - {node: node" + dice.text(0, 2) + ", at: " + dice.text(0, 3000) +
              " s, repair: " + dice.text(0, 500) + " s}\n";
    if (dice.chance(0.5)) text += "  node: {mtbf: 2000 s, repair: " + dice.text(1, 300) + " s}\n";
  }
  return run;
}

void random_lives(std::uint64_t first_seed, int count) {
  std::vector<Checked> runs;
  runs.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    runs.push_back(random_experiment(first_seed + static_cast<std::uint64_t>(i)));
  check_all(runs);
}

}  // namespace

TEST(Monkey, FirstHundredRandomRunsKeepTheInvariants) { random_lives(1000, 100); }
TEST(Monkey, SecondHundredRandomRunsKeepTheInvariants) { random_lives(2000, 100); }

// Whole runs with one actor a rank and with folded ones: the same story, whoever plays it. 1e-9
// relative is the project's bound for equal results.
TEST(Monkey, FoldingChangesNothingInWholeRuns) {
  std::vector<std::string> yamls;
  for (std::uint64_t seed = 3000; seed < 3012; ++seed) {
    std::string text = random_experiment(seed).yaml;
    const std::string on = "time_compression: on";  // jumps start at the ends of steps, which tie
    const std::size_t at = text.find(on);
    if (at != std::string::npos) text.replace(at, on.size(), "time_compression: off");
    for (const char* fold : {"on", "off"}) yamls.push_back(text + "fold: " + fold + "\n");
  }
  const std::vector<Outcome> runs = run_experiments(yamls);
  int compared = 0;
  for (std::size_t i = 0; i < runs.size(); i += 2) {
    const EventLog &folded = runs[i].log, &whole = runs[i + 1].log;
    ASSERT_EQ(runs[i].exit_code + runs[i + 1].exit_code, 0) << runs[i].error << runs[i + 1].error;
    ASSERT_EQ(folded.attempts.size(), whole.attempts.size()) << yamls[i];
    for (std::size_t a = 0; a < whole.attempts.size(); ++a) {
      EXPECT_EQ(folded.attempts[a].steps_done, whole.attempts[a].steps_done) << yamls[i];
      const double end = in_seconds(whole.attempts[a].end);
      EXPECT_NEAR(in_seconds(folded.attempts[a].end), end, 1e-9 * end) << yamls[i];
    }
    const bool undisturbed = std::all_of(
        whole.attempts.begin(), whole.attempts.end(),
        [](const AttemptRecord& attempt) { return attempt.end_state == JobState::Completed; });
    if (undisturbed) ++compared;  // of a step that was cut off, the folded bytes are not counted
    for (std::size_t link = 0; undisturbed && link < whole.links.size(); ++link)
      EXPECT_NEAR(folded.links[link].bytes, whole.links[link].bytes,
                  1e-9 * whole.links[link].bytes + 1e-3)
          << yamls[i];
  }
  EXPECT_GT(compared, 2);
}

// A failure at every kind of moment: before the start, in the first step, between and during
// writes, in jumps, in the last step, at the end, and during the restart of the second attempt;
// of one node and of two at once.
TEST(Monkey, AKillAtAnyMomentKeepsTheInvariants) {
  std::vector<Checked> runs;
  const std::string job = R"(
plans: {p: {layers: 1, forward: 1 s, backward: 1 s, gradient_per_layer: 1 GiB}}
workload: [{jobs: [{name: a, gpus: 6, plan: p, steps: 60}]}]
checkpoint: {every: 20 s, write: 3 s}
restart: 15 s
)";
  // The job starts 1 ms in and takes 60 x 2.05 s and five writes: about 138 s.
  for (int i = 0; i < 75; ++i) {
    const double at = i % 25 == 0 ? 0 : 5.7 * (i % 25) + 0.0005 * (i % 3);
    std::string text = "platform: " + switch_platform(2, 4, 4) + job;
    text +=
        std::string("time_compression: ") + (i % 2 == 0 ? "on" : "off") + "\nfailures:\n  list:\n";
    const std::string when = std::to_string(at) + " s, repair: 7 s}\n";
    text += "  - {node: node0, at: " + when;
    if (i >= 25) text += "  - {node: node1, at: " + when;  // both at once
    if (i >= 50)  // and again: 7 s of repair, then in the middle of the restart
      text += "  - {node: node0, at: " + std::to_string(at + 15) + " s, repair: 7 s}\n";
    runs.push_back({text, 20, 3});
  }
  check_all(runs);
}

// The news of the failure and of the end are one batch: the job had already completed.
TEST(Monkey, AJobWhoseLastStepEndsBeforeTheFailureIsHeardOfHasCompleted) {
  const Outcome run = run_experiment("platform: " + switch_platform(1, 1) + R"(
workload: [{jobs: [{name: a, gpus: 1, run_time: 100 s}]}]
failures: {list: [{node: node0, at: 100.0005 s, repair: 10 s}]}
)");
  ASSERT_EQ(run.exit_code, 0) << run.error;
  const AttemptRecord attempt = only_attempt_of(run.log, "a");
  EXPECT_EQ(attempt.end_state, JobState::Completed);  // heard of at 100.0015 s; it ended at 100.001
  EXPECT_EQ(attempt.cause, "");
  EXPECT_NEAR(in_seconds(attempt.end), 100.001, 1e-9);
}

TEST(Monkey, AVictimThatIsStillRestartingGivesItsGpusToTheOneThatAskedForThem) {
  const Outcome run = run_experiment("platform: " + switch_platform(1, 1) + R"(
workload:
- jobs:
  - {name: low, gpus: 1, run_time: 100 s}
  - {name: high, gpus: 1, run_time: 10 s, priority: 5, submit: 65 s}
scheduler: {policy: priority_preemption}
checkpoint: {every: 20 s, write: 1 s, on_preemption: yes}
restart: 30 s
failures: {list: [{node: node0, at: 50 s, repair: 10 s}]}
)");
  ASSERT_EQ(run.exit_code, 0) << run.error;  // the restart lasts from 60 to 90 s
  EXPECT_NEAR(in_seconds(only_attempt_of(run.log, "high").start), 65.001, 1e-9);
  const auto low = attempts_of(run.log, "low");
  ASSERT_EQ(low.size(), 3U);
  EXPECT_EQ(low[1].end_state, JobState::Preempted);
  EXPECT_EQ(low[1].cause, "preempted for high");
  EXPECT_NEAR(in_seconds(low[1].restart), 5, 1e-9);  // all it ever did
}

}  // namespace trainyard
