// Mistakes in jobs, plans, scheduler, network and failures.
#include "app/refusal.hpp"

namespace trainyard::testing {

namespace {

const std::vector<Refusal> kMistakes = {
    {"Cycle",
     own_program(
         "{name: x, compute: 1 ms, after: y}, {name: y, compute: 1 ms, after: x, stream: 1}", 4),
     2, "e.yaml:3:21: plans.own.operations: operations form a cycle: x -> y -> x"},
    {"CycleOverAStream",
     own_program("{name: x, compute: 1 ms, after: y}, {name: y, compute: 1 ms}", 4), 2,
     "e.yaml:3:21: plans.own.operations: operations form a cycle: x -> y -> x"},
    {"OnlyCollectivesOfOneRank", own_program("{name: x, all_reduce: 1 MiB}", 1), 3,
     "e.yaml:4:36: workload[0].jobs[0].gpus: job 'a' has 1 GPU; of plan 'own' that leaves only "
     "collectives of one rank, which take no time"},
    {"NoOperations", own_program("", 4), 2,
     "e.yaml:3:21: plans.own.operations: must list at least one operation"},
    {"LargerThanTheCluster", one_job_with("gpus: 4", "gpus: 9"), 3,
     "e.yaml:6:25: workload[0].jobs[0].gpus: job 'a' wants 9 GPUs; platform 'tiny_2x4' has 8"},
    {"HugeRunTime", one_job_with("plan: dp, steps: 10", "run_time: 1e30 s"), 2,
     "e.yaml:6:38: workload[0].jobs[0].run_time: must be at most 1e11 s, about 3,000 years"},
    {"OverflowingRunTime", one_job_with("plan: dp, steps: 10", "run_time: 1e308 d"), 2,
     "e.yaml:6:38: workload[0].jobs[0].run_time: '1e308 d' is too large"},
    {"HugeSubmit", one_job_with("steps: 10", "steps: 10, submit: 1e30 s"), 2,
     "e.yaml:6:57: workload[0].jobs[0].submit: must be at most 1e11 s, about 3,000 years"},
    {"HugeSize", one_job_with("10 MiB", "9e18 B"), 2,
     "e.yaml:3:88: plans.dp.gradient_per_layer: must be at most 1 TiB"},
    {"SizeBeyond64Bits", one_job_with("10 MiB", "9e19 B"), 2,
     "e.yaml:3:88: plans.dp.gradient_per_layer: '9e19 B' is not a whole number of bytes below 8 "
     "EiB"},
    {"HugeSteps", one_job_with("steps: 10", "steps: 9000000000000000000"), 2,
     "e.yaml:6:45: workload[0].jobs[0].steps: must be at most 1000000000000"},
    {"StepsBeyond64Bits", one_job_with("steps: 10", "steps: 9000000000000000000000"), 2,
     "e.yaml:6:45: workload[0].jobs[0].steps: must be an integer of at least 1, got "
     "'9000000000000000000000'"},
    {"ZeroSteps", one_job_with("steps: 10", "steps: 0"), 2,
     "e.yaml:6:45: workload[0].jobs[0].steps: must be an integer of at least 1, got '0'"},
    {"ZeroLimit", one_job_with("steps: 10", "steps: 10, limit: 0 s"), 2,
     "e.yaml:6:56: workload[0].jobs[0].limit: must be longer than zero"},
    {"ZeroJobs", "platform: tiny.xml\nworkload: []\n", 2, "e.yaml:2:11: workload: has no job"},
    {"NoJobInAnyEntry", "platform: tiny.xml\nworkload: [{jobs: []}]\n", 2,
     "e.yaml:2:11: workload: has no job"},
    {"NoWorkload", "platform: tiny.xml\n", 2, "e.yaml:1:1: workload: is required and missing"},
    {"JobsAndTrace", one_job("    trace: {format: swf, file: x}\n"), 2,
     "e.yaml:5:5: workload[0]: has both 'trace' and 'jobs'; one is needed"},
    {"TwoJobsOfOneName", one_job("      - {name: a, gpus: 1, run_time: 1 s}\n"), 2,
     "e.yaml:7:16: workload[0].jobs[1].name: there is already a job 'a'"},
    {"TwoWorkloadsOfOneName",
     "platform: tiny.xml\nworkload:\n  - {name: w, jobs: [{name: a, gpus: 1, run_time: 1 s}]}\n  - "
     "{name: w, jobs: [{name: b, gpus: 1, run_time: 1 s}]}\n",
     2, "e.yaml:4:12: workload[1].name: there is already a workload 'w'"},
    {"StepsWithoutAPlan", one_job_with("plan: dp, ", ""), 2,
     "e.yaml:6:35: workload[0].jobs[0].steps: a job without a plan has no steps; give 'run_time'"},
    {"StepsAndRunTime", one_job_with("steps: 10", "steps: 10, run_time: 1 s"), 2,
     "e.yaml:6:9: workload[0].jobs[0]: has both 'steps' and 'run_time'; one is needed"},
    {"NeitherStepsNorRunTime", one_job_with(", steps: 10", ""), 2,
     "e.yaml:6:9: workload[0].jobs[0]: needs either 'steps' or 'run_time'"},
    {"UnknownPlan", one_job_with("plan: dp,", "plan: pd,"), 2,
     "e.yaml:6:34: workload[0].jobs[0].plan: no plan 'pd'; did you mean 'dp'?"},
    {"PlanNamedNone", one_job_with("  dp:", "  none:"), 2,
     "e.yaml:3:9: plans.none: is what a job without a plan names; call the plan something else"},
    {"UnknownPolicy", one_job("scheduler: {policy: backfil}\n"), 2,
     "e.yaml:7:21: scheduler.policy: unknown value 'backfil'; did you mean 'backfill'?"},
    {"UnknownPlacement", one_job("scheduler: {placement: pack_by_laef}\n"), 2,
     "e.yaml:7:24: scheduler.placement: unknown value 'pack_by_laef'; did you mean "
     "'pack_by_leaf'?"},
    {"UnknownModel", one_job("network: {model: packet}\n"), 2,
     "e.yaml:7:18: network.model: unknown value 'packet'; known: flow, analytic, simgrid"},
    {"UnknownRouting", one_job("network: {routing: ecpm}\n"), 2,
     "e.yaml:7:20: network.routing: unknown value 'ecpm'; did you mean 'ecmp'?"},
    {"TooManyQueuePairs", one_job("network: {routing: ecmp, queue_pairs: 4294967297}\n"), 2,
     "e.yaml:7:39: network.queue_pairs: must be at most 128"},
    {"ASlowLinkWithoutEffect",
     one_job("network: {model: analytic}\nslow: {links: [{link: node0/nic0/up, factor: 0.5}]}\n"),
     3,
     "e.yaml:8:7: slow: network model 'analytic' has every link at its nominal rate: 'links' would "
     "have no effect"},
    {"AFailureAfterTheEndOfTime", one_job("failures: {node: {mtbf: 1e19 s}}\n"), 2,
     "e.yaml:7:25: failures.node.mtbf: must be at most 1e11 s, about 3,000 years"},
    {"UnknownNode", one_job("failures: {list: [{node: nod1, at: 1 s}]}\n"), 2,
     "e.yaml:7:26: failures.list[0].node: no node 'nod1' on this platform; did you mean 'node1'?"},
    {"SimgridCannotSpray", one_job("network: {model: simgrid, routing: spray}\n"), 3,
     "e.yaml:7:18: network.model: 'simgrid' gives a pair one path; routing 'spray' needs all of "
     "them"},
    {"QueuePairsWithoutHashing", one_job("network: {routing: spray, queue_pairs: 4}\n"), 3,
     "e.yaml:7:40: network.queue_pairs: more than 1 only has a meaning under 'ecmp', and routing "
     "is 'spray'"},
    {"SimgridCannotSplit", one_job("network: {model: simgrid, routing: ecmp, queue_pairs: 2}\n"), 3,
     "e.yaml:7:18: network.model: 'simgrid' gives a pair one path; 'queue_pairs' must be 1"},
    {"SimgridPlaysEveryStep", one_job("network: {model: simgrid}\ntime_compression: on\n"), 3,
     "e.yaml:8:19: time_compression: 'simgrid' plays every step; 'time_compression' must be off"},
};

class WorkloadMistakes : public ::testing::TestWithParam<Refusal> {};

TEST_P(WorkloadMistakes, AreRefusedWithAWordAndWithoutATrace) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Workload, WorkloadMistakes, ::testing::ValuesIn(kMistakes), name_of);

}  // namespace

}  // namespace trainyard::testing
