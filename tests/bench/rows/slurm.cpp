// Slurm's decisions alone, without a network: a month of a research cluster, and one backfill cycle
// against the depth of its queue and the number of nodes.
#include "base/text.hpp"
#include "rows/row.hpp"
#include "schedulers/slurm/passes/backfill/backfill.hpp"
#include "schedulers/slurm/passes/main_pass.hpp"
#include "schedulers/slurm/replay/replay.hpp"
#include "schedulers/slurm/replay/research_month.hpp"

#include <stdexcept>

namespace trainyard::bench {

namespace {

Outcome research_month() {
  const slurm::ResearchMonth month;
  const slurm::SlurmSite site = slurm::research_site(month);
  const std::vector<slurm::SlurmJob> jobs = slurm::research_jobs(month);
  const std::vector<slurm::GoldenEvent> no_events;
  slurm::Replay replay(site, jobs, no_events);
  const slurm::ReplayResult result = replay.run(1e18);
  if (result.segments.size() != jobs.size()) throw std::runtime_error("a job did not run");
  double wait = 0, backfilled = 0, last = 0;
  for (const slurm::Segment& each : result.segments) {
    wait += each.start - jobs[static_cast<std::size_t>(each.job)].submitted;
    backfilled += each.by_backfill ? 1 : 0;
    last = std::max(last, each.end);
  }
  const auto count = static_cast<double>(jobs.size());
  Outcome outcome;
  outcome.simulated = seconds(last);
  outcome.events = static_cast<std::int64_t>(jobs.size());
  outcome.note = "mean wait " + fixed(wait / count, 0) + " s, " +
                 fixed(100 * backfilled / count, 0) + " % started by backfill";
  return outcome;
}

// CPU milliseconds of a cycle that tests so many waiting jobs beside a cluster that is full.
double milliseconds_of_a_cycle(int nodes, int depth) {
  slurm::ResearchMonth month;
  month.nodes = nodes;
  month.jobs = 3 * nodes + depth;
  slurm::SlurmSite site = slurm::research_site(month);
  site.parameters.scheduler.bf_max_job_test = depth;
  const std::vector<slurm::SlurmJob> jobs = slurm::research_jobs(month);
  slurm::Slurmctld controller(site, {});
  std::string refusal;
  for (const slurm::SlurmJob& job : jobs) {
    if (static_cast<int>(controller.state().pending.size()) >= 2 * depth) break;
    if (job.request.min_nodes > nodes / 4) continue;
    controller.submit(job, 0, refusal);
    slurm::Decisions decisions;
    if (controller.state().pending.size() < 4)
      main_pass(controller.state(), slurm::PassDepth::FullQueue, decisions);
  }
  slurm::Decisions decisions;
  backfill_cycle(controller.state(), decisions);  // starts what still fits
  constexpr int kCycles = 20;
  const double before = own_cpu_s();
  for (int i = 0; i < kCycles; ++i) backfill_cycle(controller.state(), decisions);
  return 1000 * (own_cpu_s() - before) / kCycles;
}

Outcome backfill_cycles() {
  Outcome outcome;
  for (const int nodes : {125, 500, 2000, 8000})
    for (const int depth : {50, 500, 2000})
      outcome.note += (outcome.note.empty() ? "" : "\n    ") + std::to_string(nodes) + " nodes, " +
                      std::to_string(depth) +
                      " jobs tested: " + fixed(milliseconds_of_a_cycle(nodes, depth), 2) +
                      " ms a cycle";
  return outcome;
}

}  // namespace

std::vector<Row> slurm_rows() {
  return {
      {"slurm_month", "216,000 jobs under Slurm's rules on 2,000 nodes of 8 GPUs, a month", 240,
       2147.5, "PAI simulator 200 to 390 jobs/s without backfill", research_month, nullptr},
      {"slurm_cycle", "one backfill cycle, by nodes and queue", 0, 0, "", backfill_cycles, nullptr},
  };
}

}  // namespace trainyard::bench
