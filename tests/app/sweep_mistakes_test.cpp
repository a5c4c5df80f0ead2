// Mistakes in sweeps: the whole sweep fails, with the first failing point in its message.
#include "app/refusal.hpp"

namespace trainyard::testing {

namespace {

const std::vector<Refusal> kMistakes = {
    {"SweepEmptyList", one_job("sweep: {seed: []}\n"), 2,
     "e.yaml:7:15: sweep.seed: has no value to try"},
    {"SweepEmpty", one_job("sweep: {}\n"), 2, "e.yaml:7:8: sweep: has no key to vary"},
    {"SweepScalar", one_job("sweep: {seed: 3}\n"), 2,
     "e.yaml:7:15: sweep.seed: must be a list, got '3'"},
    {"SweepNested", one_job("sweep: {seed: [1, [2]]}\n"), 2,
     "e.yaml:7:19: sweep.seed[1]: must be a single value, got a list"},
    {"SweepNoMapping", one_job("sweep: [1]\n"), 2,
     "e.yaml:7:8: sweep: must be a mapping, got a list"},
    {"SweepUnknownKey", one_job("sweep: {scheduler.polcy: [fifo]}\n"), 2,
     "e.yaml:7:26: scheduler.polcy: unknown key; did you mean 'policy'? (sweep point "
     "scheduler.polcy=fifo)"},
    {"SweepUnknownTop", one_job("sweep: {sead: [1, 2]}\n"), 2,
     "e.yaml:7:15: sead: unknown key; did you mean 'seed'? (sweep point sead=1)"},
    {"SweepOnePointFails", one_job("sweep: {seed: [1, 2, x, y]}\n"), 2,
     "e.yaml:7:15: seed: must be an integer of at least 0, got 'x' (sweep point seed=x)"},
    {"SweepInfeasible",
     one_job("sweep: {network.routing: [ecmp, spray], network.model: [flow, simgrid]}\n"), 3,
     "e.yaml:7:56: network.model: 'simgrid' gives a pair one path; routing 'spray' needs all of "
     "them (sweep point network.routing=spray network.model=simgrid)"},
};

class SweepMistakes : public ::testing::TestWithParam<Refusal> {};

TEST_P(SweepMistakes, AreRefusedWithAWordAndWithoutATrace) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Sweep, SweepMistakes, ::testing::ValuesIn(kMistakes), name_of);

}  // namespace

}  // namespace trainyard::testing
