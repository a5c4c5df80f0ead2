// Mistakes in traces and in what an experiment says about them.
#include "app/refusal.hpp"

namespace trainyard::testing {

namespace {

const std::vector<Refusal> kMistakes = {
    {"MissingTrace", fixture("trace.yaml"), 2,
     "DIR/t.swf: cannot be read: No such file or directory"},
    {"EmptyTrace", fixture("trace.yaml"), 2, "DIR/t.swf: holds no usable jobs", {{"t.swf", ""}}},
    {"CommentTrace",
     fixture("trace.yaml"),
     2,
     "DIR/t.swf: holds no usable jobs",
     {{"t.swf", "; nothing: here\n"}}},
    {"DroppedTrace",
     fixture("trace.yaml"),
     2,
     "DIR/t.swf: holds no usable jobs; dropped: 1 with piece of a job (status 2 to 4), 1 with "
     "processors unknown or zero, 1 with run time unknown or zero",
     {{"t.swf", swf_line(1, 0, 2, 1) + swf_line(2, 100, 0, 1) + swf_line(3, 100, 2, 2)}}},
    {"SixColumns",
     fixture("trace.yaml"),
     2,
     "DIR/t.swf:1: expected 18 fields, found 6 in '1 0 10 100 2 50'",
     {{"t.swf", "1 0 10 100 2 50\n"}}},
    {"TraceNotUtf8",
     fixture("trace.yaml"),
     2,
     "DIR/t.swf:1:9: field 4 (run time): holds a byte that is not UTF-8, got '1\\xff0'",
     {{"t.swf", "1 0 -1 1\3770 2 -1 -1 2 200 -1 1 1 1 1 1 1 -1 -1\n"}}},
    {"TraceDirectory", replaced(fixture("trace.yaml"), "t.swf", "."), 2,
     "DIR/: cannot be read: it is a directory"},
    {"TraceTooLarge",
     fixture("trace.yaml"),
     3,
     "e.yaml:5:32: workload[0].trace.file: job '2' wants 9 GPUs; platform 'tiny_2x4' has 8",
     {{"t.swf", swf_line(1, 100, 2, 1) + swf_line(2, 100, 9, 1)}}},
    {"TraceProcessorsOverflow",
     replaced(fixture("trace.yaml"), "t.swf", "t.swf, gpus_per_processor: 4294967296"),
     2,
     "e.yaml:5:59: workload[0].trace.gpus_per_processor: must be at most 2147483647, got "
     "'4294967296'",
     {{"t.swf", swf_line(1, 100, 2, 1)}}},
    {"TraceQueue",
     replaced(fixture("trace.yaml"), "t.swf", "t.swf, queue_priority: {x: 1}"),
     2,
     "e.yaml:5:59: workload[0].trace.queue_priority.x: must be a queue's number",
     {{"t.swf", swf_line(1, 100, 2, 1)}}},
    {"TraceRule",
     replaced(fixture("trace.yaml"), "[{plan: dp}]", "[{from_gpus: 4, to_gpus: 2, plan: dp}]"),
     2,
     "e.yaml:5:71: workload[0].trace.plans[0].to_gpus: must be an integer of at least 4, got '2'",
     {{"t.swf", swf_line(1, 100, 2, 1)}}},
    {"TraceFormat",
     replaced(fixture("trace.yaml"), "swf", "sfw"),
     2,
     "e.yaml:5:21: workload[0].trace.format: unknown value 'sfw'; did you mean 'swf'?",
     {{"t.swf", swf_line(1, 100, 2, 1)}}},
    {"TraceMissingPlan",
     replaced(fixture("trace.yaml"), "{plan: dp}", "{plan: dq}"),
     2,
     "e.yaml:5:54: workload[0].trace.plans[0].plan: no plan 'dq'; did you mean 'dp'?",
     {{"t.swf", swf_line(1, 100, 2, 1)}}},
};

class TraceMistakes : public ::testing::TestWithParam<Refusal> {};

TEST_P(TraceMistakes, AreRefusedWithAWordAndWithoutATrace) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Trace, TraceMistakes, ::testing::ValuesIn(kMistakes), name_of);

}  // namespace

}  // namespace trainyard::testing
