// The same input gives the same bytes: twice, in another address space, with other garbage in fresh
// memory, and from the resolved copy of the experiment.
#include "config/section.hpp"
#include "support/experiment_run.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

namespace trainyard {

namespace {

namespace fs = std::filesystem;

// Coupled jobs, preemption, failures, jumps, random placement: everything that could depend on an
// order.
const char* const kBusy = R"(
plans:
  small: {layers: 2, forward: 100 ms, backward: 200 ms, gradient_per_layer: 1 GiB}
  tensor: {layers: 2, forward: 300 ms, backward: 200 ms, tensor: 4, tensor_message: 256 MiB, gradient_per_layer: 4 GiB}
  coupled: {operations: [{name: c, compute: 700 ms}, {name: t, all_reduce: 30 GB, algorithm: ring, after: [c]}]}
workload:
- jobs:
  - {name: a, gpus: 6, plan: coupled, steps: 900}
  - {name: b, gpus: 5, plan: small, steps: 2000, priority: 1}
  - {name: c, gpus: 8, plan: tensor, steps: 300, priority: 2, submit: 300 s}
  - {name: d, gpus: 4, plan: coupled, steps: 500, submit: 400 s}
  - {name: e, gpus: 2, run_time: 1000 s, submit: 500 s, limit: 900 s}
  - {name: f, gpus: 3, plan: small, steps: 800, priority: 3, submit: 600 s}
scheduler: {policy: priority_preemption, placement: random, grace: 30 s}
checkpoint: {every: 100 s, write: 5 s, on_preemption: yes}
restart: 20 s
failures: {node: {mtbf: 3000 s, repair: 5 min}, list: [{node: node1, at: 700 s, repair: 100 s}]}
slow: {gpus: [{gpu: node0/gpu1, factor: 1.07}], links: [{link: node1/nic0/up, factor: 0.5}]}
seed: 3
)";

class SameBytes : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("same_bytes_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "experiment.yaml") << "platform: " << switch_platform(3, 4, 2) << kBusy;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The bytes of every file of a run.
  std::map<std::string, std::string> run(const std::string& how, const fs::path& experiment,
                                         const std::string& name) {
    const std::string output = (folder_ / name).string();
    const std::string command = how + " " TRAINYARD_BINARY_DIR "/trainyard run -q " +
                                experiment.string() + " -o " + output + " > " + output +
                                ".out 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << read_file(output + ".out");
    std::map<std::string, std::string> files;
    if (!fs::exists(output)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(output))
      if (entry.is_regular_file())
        files[fs::relative(entry.path(), output).string()] = read_file(entry.path().string());
    return files;
  }

  static void expect_same(const std::map<std::string, std::string>& a,
                          const std::map<std::string, std::string>& b) {
    ASSERT_GE(a.size(), 6U);
    ASSERT_EQ(a.size(), b.size());
    for (const auto& [name, bytes] : a)
      EXPECT_TRUE(b.count(name) != 0 && b.at(name) == bytes) << name << " differs";
  }

  fs::path folder_;
};

}  // namespace

TEST_F(SameBytes, ComeFromTwoRuns) {
  const fs::path experiment = folder_ / "experiment.yaml";
  expect_same(run("", experiment, "first"), run("", experiment, "second"));
}

TEST_F(SameBytes, ComeFromAnotherAddressSpaceAndOtherGarbage) {
  const fs::path experiment = folder_ / "experiment.yaml";
  const auto plain = run("", experiment, "plain");
  expect_same(plain,
              run("env MALLOC_PERTURB_=165 MALLOC_ARENA_MAX=1 PADDING=" + std::string(40000, 'x'),
                  experiment, "garbage"));
  if (std::system("setarch -R true > /dev/null 2>&1") == 0)  // not allowed everywhere
    expect_same(plain, run("setarch -R env MALLOC_TOP_PAD_=1048576", experiment, "fixed"));
}

TEST_F(SameBytes, ComeFromTheResolvedCopy) {
  const auto first = run("", folder_ / "experiment.yaml", "first");
  const auto again = run("", folder_ / "first" / "experiment.yaml", "again");
  expect_same(first, again);
}

}  // namespace trainyard
