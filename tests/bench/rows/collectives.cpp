// One collective, or two at once, from the platform's text to the link bytes.
//
// Times on an idle switch are held against closed forms, link bytes on a shared tree against the
// transfers of the expanded schedule, each over its own path.
#include "platforms/xml.hpp"
#include "rows/experiments.hpp"
#include "rows/row.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace trainyard::bench {

namespace {

constexpr double kExact = 1e-4;  // of a closed form
constexpr double kSameBytes = 1e-9;

Outcome outcome_of(const Played& played) {
  Outcome outcome;
  outcome.simulated = duration_of(played.log, 0);
  outcome.events = played.log.events;
  return outcome;
}

// ---- On one switch ----

Outcome on_one_switch(CollectiveKind kind, const char* algorithm, Bytes size, int ranks,
                      Seconds expected) {
  Experiment experiment = on_platform(parse_platform("one_switch.xml", single_switch_xml(ranks)));
  experiment.plans = {one_collective(kind, algorithm, size)};
  add_job(experiment, ranks, 1);
  Outcome outcome = outcome_of(play(experiment));
  expect_near("the time", in_seconds(outcome.simulated), in_seconds(expected), kExact);
  return outcome;
}

template <int Ranks>
Outcome ring_on_one_switch() {
  const Seconds latency = 2 * (Ranks - 1) * microseconds(1);
  const Seconds flow = 2 * (Ranks - 1) * (gibibytes(1) / gigabytes_per_second(50)) / Ranks;
  return on_one_switch(CollectiveKind::AllReduce, "ring", gibibytes(1), Ranks, latency + flow);
}

template <int Ranks>
Outcome all_to_all_on_one_switch() {
  const Seconds flow = (Ranks - 1) * (mebibytes(64) / gigabytes_per_second(50)) / Ranks;
  return on_one_switch(CollectiveKind::AllToAll, "direct", mebibytes(64), Ranks,
                       microseconds(1) + flow);
}

template <int Ranks>
Outcome pairwise_on_one_switch() {
  const Seconds flow = (Ranks - 1) * (mebibytes(64) / gigabytes_per_second(50)) / Ranks;
  return on_one_switch(CollectiveKind::AllToAll, "pairwise", mebibytes(64), Ranks,
                       (Ranks - 1) * microseconds(1) + flow);
}

// ---- On a shared tree ----

// Every transfer of every job's schedule, over its own path.
std::vector<double> bytes_of_transfers(const Experiment& experiment, const EventLog& log) {
  const auto routing = make_routing(experiment.platform, experiment.routing);
  std::vector<double> expected(experiment.platform.links.size());
  std::vector<LinkShare> path;
  for (const AttemptRecord& attempt : log.attempts) {
    const std::vector<GpuId>& gpus = attempt.allocation.gpus;
    const Operation& operation = experiment.plans.front().custom.front();
    Collective collective;
    collective.kind = operation.collective;
    collective.ranks = static_cast<int>(gpus.size());
    collective.size = operation.size;
    const Schedule schedule =
        find_algorithm(operation.collective, operation.algorithm)->expand(collective);
    for (const Step& step : schedule.steps)
      for (const Transfer& transfer : step) {
        const auto moved =
            static_cast<double>(transfer_bytes(collective, schedule, transfer).count());
        path.clear();
        routing->append_path(gpus[transfer.from.index()], gpus[transfer.to.index()], 0, path);
        for (const LinkShare& hop : path) expected[hop.link.index()] += moved * hop.share;
      }
  }
  return expected;
}

void check_link_bytes(const Experiment& experiment, const EventLog& log) {
  const std::vector<double> expected = bytes_of_transfers(experiment, log);
  for (std::size_t link = 0; link < expected.size(); ++link) {
    const std::string& name = experiment.platform.links[link].name;
    expect_near("the bytes of " + name, log.links[link].bytes, expected[link], kSameBytes);
    const double least = log.links[link].bytes / experiment.link_factor[link] /
                         in_bytes_per_second(experiment.platform.links[link].bandwidth);
    if (least > in_seconds(log.end) * (1 + kSameBytes))
      throw std::runtime_error("WRONG RESULT: faster than the link " + name + " allows");
  }
}

// Two jobs of `ranks` fill a tree at random; every pair takes one path by hash; the first uplink of
// the first leaf runs at half its speed.
Outcome on_shared_tree(CollectiveKind kind, const char* algorithm, Bytes size, int ranks,
                       NetworkModel model) {
  const std::string xml = fat_tree_2to1_xml(2 * ranks / 64);
  auto experiment = std::make_shared<Experiment>(on_platform(parse_platform("tree.xml", xml)));
  experiment->model = model;
  experiment->routing.policy = RoutingPolicy::Ecmp;
  experiment->placement = "random";
  experiment->seed = experiment->routing.seed = 7;
  experiment->link_factor[find_link(experiment->platform, "leaf0/spine0/up").index()] = 0.5;
  experiment->plans = {one_collective(kind, algorithm, size)};
  add_job(*experiment, ranks, 1);
  add_job(*experiment, ranks, 1);
  const Played played = play(*experiment);
  Outcome outcome = outcome_of(played);
  outcome.simulated = std::max(duration_of(played.log, 0), duration_of(played.log, 1));
  outcome.check = [experiment, log = played.log] { check_link_bytes(*experiment, log); };
  return outcome;
}

template <int Ranks, NetworkModel Model>
Outcome rings_on_shared_tree() {
  return on_shared_tree(CollectiveKind::AllReduce, "ring", gibibytes(1), Ranks, Model);
}

template <int Ranks, NetworkModel Model>
Outcome all_to_alls_on_shared_tree() {
  return on_shared_tree(CollectiveKind::AllToAll, "direct", mebibytes(64), Ranks, Model);
}

}  // namespace

std::vector<Row> collective_rows() {
  constexpr NetworkModel kFlow = NetworkModel::Flow, kSimgrid = NetworkModel::Simgrid;
  return {
      {"ring_1024", "1 GiB ring all-reduce, 1,024 ranks, one switch", 0.15, 100,
       "ASTRA-sim 2.4 s 354 MB; S4U 7.3 s", ring_on_one_switch<1024>, nullptr},
      {"ring_4096", "1 GiB ring all-reduce, 4,096 ranks, one switch", 0.3, 100,
       "ASTRA-sim 56 s 5,448 MB; S4U 317 s", ring_on_one_switch<4096>, nullptr},
      {"a2a_1024", "64 MiB a rank all-to-all, direct, 1,024 ranks, one switch", 0.3, 0,
       "ASTRA-sim 7.9 s 952 MB", all_to_all_on_one_switch<1024>, nullptr},
      {"a2a_4096", "64 MiB a rank all-to-all, direct, 4,096 ranks, one switch", 3, 0, "",
       all_to_all_on_one_switch<4096>, nullptr},
      {"pairwise_1024", "64 MiB a rank all-to-all, pairwise, 1,024 ranks, one switch", 0.3, 0,
       "S4U 5.1 s", pairwise_on_one_switch<1024>, nullptr},
      {"rings_2to1_1024", "two 1 GiB rings of 1,024 at random on a 2:1 tree, ecmp, a slow link",
       0.5, 0, "", rings_on_shared_tree<1024, kFlow>, nullptr},
      {"a2as_2to1_1024", "two all-to-alls of 1,024 at random on a 2:1 tree, ecmp, a slow link", 0.5,
       0, "", all_to_alls_on_shared_tree<1024, kFlow>, nullptr},
      {"a2as_2to1_4096", "the same all-to-alls of 4,096", 6, 0, "",
       all_to_alls_on_shared_tree<4096, kFlow>, nullptr},
      {"rings_2to1_256", "the same rings of 256; yardstick: simgrid model", 0, 0, "",
       rings_on_shared_tree<256, kFlow>, rings_on_shared_tree<256, kSimgrid>},
      {"a2as_2to1_64", "the same all-to-alls of 64; yardstick: simgrid model", 0, 0, "",
       all_to_alls_on_shared_tree<64, kFlow>, all_to_alls_on_shared_tree<64, kSimgrid>},
  };
}

}  // namespace trainyard::bench
