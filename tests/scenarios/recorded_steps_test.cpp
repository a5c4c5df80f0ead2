// Recorded steps as jobs, and with them ASTRA-sim's own results for its own traces.
//
// ASTRA-sim's ring on n ranks sends ch chunks one after another, S / ch / n bytes a message; each
// message pays the link's latency and the endpoint's delay ep, and its time on the wire is cut to
// whole nanoseconds; each chunk pays ep once more, and 3 (n - 1) passes of a message through local
// memory. Here latency and ep of a message are the link's latency, the chunk's rest a computation.
// So the two agree but for what ASTRA-sim cuts off each message.
#include "support/experiment_run.hpp"
#include "unit/workload/files.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trainyard {
namespace {

using testing::reference_path;
using testing::TemporaryFile;

constexpr double kLatencyNs = 500, kEndpointNs = 10, kBytesPerNs = 50 * 1.073741824;  // 50 GiB/s
constexpr double kMiB = 1 << 20;

// Ranks on one switch, a NIC each at 50 GiB/s; a message pays link and endpoint.
std::string astra_platform(int ranks) {
  const std::string half = std::to_string((kLatencyNs + kEndpointNs) / 2) + " ns";
  return R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="astra" routing="None">
<prop id="topology" value="single_switch"/>
<prop id="nodes" value=")" +
         std::to_string(ranks) + R"("/>
<prop id="gpus_per_node" value="1"/>
<prop id="nics_per_node" value="1"/>
<prop id="nic_bandwidth" value="53687091200 B/s"/>
<prop id="nic_latency" value=")" +
         half + R"("/>
<prop id="switch_latency" value="0 s"/>
<prop id="calibration" value="assumed"/>
</zone></platform>
)";
}

// One step of the plan on so many ranks, in nanoseconds.
double step_ns(const std::string& plan, int ranks) {
  const TemporaryFile platform("astra_" + std::to_string(ranks) + ".xml", astra_platform(ranks));
  const Outcome outcome = run_experiment(
      "platform: " + platform.path() + "\nplans:\n  p: " + plan +
      "\nnetwork: {collectives: {all_reduce: ring, all_gather: ring}}\nscheduler: {policy: fifo}\n"
      "time_compression: off\nworkload:\n  - jobs:\n    - {name: j, gpus: " +
      std::to_string(ranks) + ", plan: p, steps: 3}\n");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return outcome.exit_code == 0 ? mean_step_of(outcome.log, "j") * 1e9 : 0;
}

// The chunks one after another: a collective each, then the rest of its time.
std::string chunked(const std::string& kind, double bytes, double rest_ns, int chunks) {
  std::string text = "{operations: [";
  for (int c = 0; c < chunks; ++c) {
    const std::string n = std::to_string(c);
    text += (c > 0 ? ", " : "") + ("{name: c" + n) + ", " + kind + ": " +
            std::to_string(static_cast<long>(bytes)) + " B" +
            (c > 0 ? ", after: r" + std::to_string(c - 1) : "") + "}, {name: r" + n +
            ", compute: " + std::to_string(rest_ns) + " ns, after: c" + n + "}";
  }
  return text + "]}";
}

double cut_off(double message) { return message / kBytesPerNs - std::floor(message / kBytesPerNs); }

struct AllReduceOracle {
  double memory_bytes_per_ns, published_ns;
};

TEST(AstraSim, TheRingAllReduceOfEightRanksTakesItsPublishedTime) {
  constexpr int n = 8, chunks = 4;
  const double message = kMiB / chunks / n;
  for (const AllReduceOracle& oracle :
       {AllReduceOracle{50, 117780}, AllReduceOracle{1600, 64440}}) {
    const double rest =
        kEndpointNs + 3 * (n - 1) * std::floor(message / oracle.memory_bytes_per_ns);
    const double actual = step_ns(chunked("all_reduce", kMiB / chunks, rest, chunks), n);
    EXPECT_NEAR(actual, oracle.published_ns + chunks * 2 * (n - 1) * cut_off(message), 1e-3);
  }
}

TEST(AstraSim, TheRingAllGatherOfSixteenRanksTakesItsPublishedTime) {
  constexpr int n = 16, chunks = 4;
  const double message = kMiB / chunks;  // `comm_size`, a mebibyte, is of one rank
  const double actual = step_ns(chunked("all_gather", n * message, kEndpointNs, chunks), n);
  EXPECT_NEAR(actual, 323560 + chunks * (n - 1) * cut_off(message), 1e-3);
}

TEST(AstraSim, ItsTraceOfAnAllReduceIsPlayedInTheRingsTime) {
  const std::string trace = reference_path("training/astrasim-et/all_reduce-8npus_1MB-all_reduce");
  TRAINYARD_NEEDS(trace + ".0.et");
  constexpr int n = 8;
  const double latency = kLatencyNs + kEndpointNs;
  EXPECT_NEAR(step_ns("{recorded: " + trace + "}", n),
              2 * (n - 1) * (latency + kMiB / n / kBytesPerNs), 1e-3);
}

// The same ring spelled out as sends and receives, with a computation of 7 us (whole microseconds
// are what the format has) before each of the last n - 1 reductions' results is sent on.
TEST(AstraSim, ItsTraceOfARingOfSendsIsPlayedMessageByMessage) {
  const std::string trace = reference_path("training/astrasim-et/custom-custom_allreduce");
  TRAINYARD_NEEDS(trace + ".0.et");
  constexpr int n = 8;
  const double message = kLatencyNs + kEndpointNs + kMiB / n / kBytesPerNs;
  EXPECT_NEAR(step_ns("{recorded: " + trace + "}", n), 2 * (n - 1) * message + (n - 1) * 7000,
              1e-3);
}

TEST(RecordedSteps, AJobOfAnotherSizeThanTheTraceIsImpossible) {
  const TemporaryFile goal("two.goal",
                           "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n");
  const TemporaryFile platform("astra_4.xml", astra_platform(4));
  const Outcome outcome = run_experiment(
      "platform: " + platform.path() + "\nplans:\n  p: {recorded: " + goal.path() +
      "}\nscheduler: {policy: fifo}\nworkload:\n  - jobs:\n    - {name: j, gpus: 4, plan: p, "
      "steps: 3}\n");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.error,
            goal.path() + ": was recorded on 2 ranks; a job of 4 GPUs cannot play it");
}

TEST(RecordedSteps, ATraceThatCannotRunIsRefusedWithItsLine) {
  const TemporaryFile goal("two.goal",
                           "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\ncalc 5\n}\n");
  const TemporaryFile platform("astra_2.xml", astra_platform(2));
  const Outcome outcome = run_experiment(
      "platform: " + platform.path() + "\nplans:\n  p: {recorded: " + goal.path() +
      "}\nscheduler: {policy: fifo}\nworkload:\n  - jobs:\n    - {name: j, gpus: 2, plan: p, "
      "steps: 3}\n");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find(goal.path() + ":3: unmatched transfer"), std::string::npos)
      << outcome.error;
}

}  // namespace
}  // namespace trainyard
