// Mistakes in an experiment as text, and in what `--set` changes in it.
#include "app/refusal.hpp"

namespace trainyard::testing {

namespace {

const std::vector<Refusal> kMistakes = {
    {"EmptyFile", "", 2, "e.yaml: is empty; a mapping of keys to values is required"},
    {"OnlyComments", "# nothing\n\n", 2,
     "e.yaml: is empty; a mapping of keys to values is required"},
    {"AList", "- a\n", 2, "e.yaml:1:1: must be a mapping of keys to values, got a list"},
    {"NotUtf8", one_job_with("name: a", "name: a\377"), 2,
     "e.yaml:6:17: byte 0xff is not valid UTF-8"},
    {"ControlCharacter", one_job_with("name: a", "name: a\001"), 2,
     "e.yaml:6:17: byte 0x01 is a control character"},
    {"Tabs", one_job_with("  dp:", "\tdp:"), 2,
     "e.yaml:3:4: not valid YAML: a tab in the indentation; use spaces"},
    {"NotYaml", one_job_with("plans:", "plans: ]"), 2,
     "e.yaml:2:8: not valid YAML: illegal flow end"},
    {"DuplicateKey", one_job("seed: 1\nseed: 2\n"), 2,
     "e.yaml:8:1: seed: duplicate key; first given in line 7"},
    {"TwoDocuments", one_job("---\na: 1\n"), 2,
     "e.yaml:7:1: a second YAML document; one file holds one"},
    {"Tag", one_job_with("tiny.xml", "!!str tiny.xml"), 2,
     "e.yaml:1:11: platform: tags are not supported, got 'tag:yaml.org,2002:str'"},
    {"Merge", one_job("<<: {a: 1}\n"), 2,
     "e.yaml:7:1: merge keys ('<<') are not supported; write the keys out"},
    {"UnknownKey", one_job("schedular: {policy: fifo}\n"), 2,
     "e.yaml:7:1: schedular: unknown key; did you mean 'scheduler'?"},
    {"UnknownKeyInside", one_job_with("steps: 10", "stepz: 10"), 2,
     "e.yaml:6:45: workload[0].jobs[0].stepz: unknown key; did you mean 'steps'?"},
    {"MissingKey", one_job_with("gpus: 4, ", ""), 2,
     "e.yaml:6:9: workload[0].jobs[0].gpus: is required and missing"},
    {"MissingUnit", one_job("restart: 5\n"), 2,
     "e.yaml:7:10: restart: '5' has no unit; units: ns, us, ms, s, min, h, d"},
    {"UnitOfAnotherKind", one_job_with("10 MiB", "10 ms"), 2,
     "e.yaml:3:88: plans.dp.gradient_per_layer: '10 ms': unknown unit 'ms'; known: B, kB, MB, GB, "
     "TB, KiB, MiB, GiB, TiB"},
    {"NegativeSize", one_job_with("10 MiB", "-10 MiB"), 2,
     "e.yaml:3:88: plans.dp.gradient_per_layer: must be positive, got '-10 MiB'"},
    {"NegativeTime", one_job("restart: -5 s\n"), 2,
     "e.yaml:7:10: restart: must not be negative, got '-5 s'"},
    {"NegativeGpus", one_job_with("gpus: 4", "gpus: -4"), 2,
     "e.yaml:6:25: workload[0].jobs[0].gpus: must be a positive integer, got '-4'"},
    {"FractionOfAGpu", one_job_with("gpus: 4", "gpus: 1.5"), 2,
     "e.yaml:6:25: workload[0].jobs[0].gpus: must be a positive integer, got '1.5'"},
    {"NanTime", one_job("restart: nan s\n"), 2,
     "e.yaml:7:10: restart: 'nan s' is not a number with a unit; units: ns, us, ms, s, min, h, d"},
    {"InfTime", one_job("restart: .inf s\n"), 2,
     "e.yaml:7:10: restart: '.inf s' is not a number with a unit; units: ns, us, ms, s, min, h, d"},
    {"SetUnknown",
     one_job(),
     2,
     "--set: scheduler.polcy: unknown key; did you mean 'policy'?",
     {},
     {"--set", "scheduler.polcy=fifo"}},
    {"SetWrongType",
     one_job(),
     2,
     "--set: seed: must be an integer of at least 0, got 'abc'",
     {},
     {"--set", "seed=abc"}},
    {"SetInsideAScalar",
     one_job("restart: 1 s\n"),
     2,
     "--set: restart.x: 'x' is looked for in '1 s', not in a mapping",
     {},
     {"--set", "restart.x=1"}},
    {"SetNoEquals", one_job(), 2, "--set: seed: must be key=value", {}, {"--set", "seed"}},
    {"SetEmptyKey", one_job(), 2, "--set: has an empty part", {}, {"--set", "=1"}},
    {"SetInList",
     one_job(),
     2,
     "--set: workload.1.jobs: '1' is looked for in a list; its entries count from 0 and there are "
     "1",
     {},
     {"--set", "workload.1.jobs=1"}},
    {"SetMapping",
     one_job(),
     2,
     "--set: scheduler: '{policy: fifo}' is neither a single value nor a list; quote it?",
     {},
     {"--set", "scheduler={policy: fifo}"}},
    {"VariableNotSet", one_job_with("tiny.xml", "\"${TRAINYARD_NOWHERE}/tiny.xml\""), 2,
     "e.yaml:1:1: '${TRAINYARD_NOWHERE}/tiny.xml' needs the environment variable "
     "TRAINYARD_NOWHERE"},
    {"BadName", one_job("name: a/b\n"), 2,
     "e.yaml:7:7: name: must be usable as a folder's name, got 'a/b'"},
};

class YamlMistakes : public ::testing::TestWithParam<Refusal> {};

TEST_P(YamlMistakes, AreRefusedWithAWordAndWithoutATrace) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Yaml, YamlMistakes, ::testing::ValuesIn(kMistakes), name_of);

}  // namespace

}  // namespace trainyard::testing
