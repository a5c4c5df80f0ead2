#include "study/whatif/causes.hpp"

#include <algorithm>

namespace trainyard {

namespace {

bool any_slow(const std::vector<double>& factors) {
  return std::any_of(factors.begin(), factors.end(), [](double factor) { return factor != 1; });
}

bool fails(const FailureSpec& failures) {
  return failures.node_mtbf || failures.cable_mtbf || !failures.listed.empty();
}

void repair_links(Experiment& experiment) {
  std::fill(experiment.link_factor.begin(), experiment.link_factor.end(), 1.0);
}

// Under `analytic` no link is slow and none fails; nodes still do.
void idealise_network(Experiment& experiment) {
  experiment.model = NetworkModel::Analytic;
  repair_links(experiment);
  FailureSpec& failures = experiment.failures;
  failures.cable_mtbf.reset();
  failures.listed.erase(
      std::remove_if(failures.listed.begin(), failures.listed.end(),
                     [](const FailureSpec::Listed& listed) { return !listed.part.links.empty(); }),
      failures.listed.end());
}

}  // namespace

const std::vector<Cause>& causes() {
  static const std::vector<Cause> all = {
      {"slow GPUs", "every GPU computes at its nominal speed",
       [](const Experiment& e) {
         return any_slow(e.gpu_slowdown) || !e.attempts.variation.spells.empty();
       },
       [](Experiment& e) {
         std::fill(e.gpu_slowdown.begin(), e.gpu_slowdown.end(), 1.0);
         e.attempts.variation.spells.clear();
       }},
      {"slow links", "every link has its nominal bandwidth",
       [](const Experiment& e) { return any_slow(e.link_factor); }, repair_links},
      {"variation", "no jitter, no pauses, batches of equal length",
       [](const Experiment& e) { return e.attempts.variation.any(); },
       [](Experiment& e) {
         const std::vector<SlowSpell> spells = std::move(e.attempts.variation.spells);
         const std::uint64_t seed = e.attempts.variation.seed;
         e.attempts.variation = {};
         e.attempts.variation.spells = spells;
         e.attempts.variation.seed = seed;
       }},
      {"failures", "no node, cable or switch fails",
       [](const Experiment& e) { return fails(e.failures); },
       [](Experiment& e) { e.failures = {}; }},
      {"fabric and contention", "only NVLinks and NICs take time, and nobody shares them",
       [](const Experiment& e) { return e.model != NetworkModel::Analytic; }, idealise_network},
  };
  return all;
}

void keep_only(Experiment& experiment, std::size_t job) {
  Job kept = experiment.jobs[job];
  kept.id = JobId(0);
  experiment.jobs = {std::move(kept)};
  experiment.attempts.alone = true;
}

JobFared fared(const EventLog& log, JobId job) {
  JobFared result;
  double steps = 0;
  for (const IterationRecord& record : log.iterations) {
    if (record.job != job) continue;
    steps += static_cast<double>(record.steps);
    result.step += static_cast<double>(record.steps) * record.duration;
  }
  if (steps > 0) result.step = result.step / steps;
  for (const AttemptRecord& attempt : log.attempts)
    if (attempt.job == job)
      result.response = std::max(result.response, attempt.end - log.jobs[job.index()].submit);
  return result;
}

}  // namespace trainyard
