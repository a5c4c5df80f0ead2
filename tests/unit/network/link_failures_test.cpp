// What a collective does while a link is down: stall, go on slower, take its old route again; or
// give up.

#include "network/flow_network.hpp"
#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using namespace testing;

constexpr double kNic = 50e9;  // bytes/s, of NICs and uplinks

// Two leaves of two one-GPU nodes; two cables from each leaf to the spine, one a destination.
Platform two_cables() {
  return build(with(tree("fat_tree", "2", "2,2", "1,1", "1,2"), single_gpu_nodes(4)));
}

// The platform's own routes, but around cables that are down: over the other one beside them.
class Detour final : public Routing {
public:
  explicit Detour(const Platform& platform)
      : platform_(platform), own_(make_routing(platform, {})) {}

  void append_path(GpuId from, GpuId to, int pair, std::vector<LinkShare>& out) const override {
    own_->append_path(from, to, pair, out);
    for (LinkShare& hop : out) {
      const std::string& name = platform_.links[hop.link.index()].name;
      if (name.find("leaf0/spine0/cable" + std::to_string(down)) != 0) continue;
      const std::string end = name.substr(name.rfind('/'));
      hop.link = find_link(platform_, "leaf0/spine0/cable" + std::to_string(1 - down) + end);
    }
  }
  Seconds latency(GpuId from, GpuId to) const override { return own_->latency(from, to); }

  int down = -1;

private:
  const Platform& platform_;
  std::unique_ptr<Routing> own_;
};

// A 1 GiB ring all-reduce that crosses between the leaves at every rank, on a Fluid of its own.
class Play final : private Listener {
public:
  Play() {
    network_.expect_link_failures(
        [this](const CollectiveSpec& spec) { return lower(spec, platform_, routes_); }, Transport{},
        [this](Domain /*domain*/, LinkId link) {
          aborted_at = now();
          waited_for = platform_.links[link.index()].name;
        });
    const Collective ring{CollectiveKind::AllReduce, 4, gibibytes(1)};
    const CollectiveSpec spec{
        ring, find_algorithm(ring.kind, "ring"), {{GpuId(0), GpuId(2), GpuId(1), GpuId(3)}}};
    const Lowered groups = lower(spec, platform_, routes_);
    latency = in_seconds(groups.front()->latency);
    collective_ = network_.prepare(std::make_shared<const CollectiveSpec>(spec), groups);
    network_.start(collective_, 0, this, 0);
  }

  void until(double date) {
    while (in_seconds(fluid_.until_next()) <= date - now()) fluid_.advance(fluid_.until_next());
    fluid_.advance(Seconds(date - now()));
  }
  void to_the_end() {
    while (fluid_.until_next() < forever()) fluid_.advance(fluid_.until_next());
  }
  void down(const std::string& cable, int detour) {
    routes_.down = detour;
    network_.links_down(both(cable));
  }
  void up(const std::string& cable) {
    routes_.down = -1;
    network_.links_up(both(cable));
  }
  double now() const { return in_seconds(fluid_.now() - begin_); }
  std::vector<double> bytes() const { return network_.link_bytes(); }
  const Platform& platform() const { return platform_; }

  double ended_at = -1, aborted_at = -1, latency = 0;
  std::string waited_for;

private:
  void completed(std::int64_t /*tag*/) override { ended_at = now(); }
  std::vector<LinkId> both(const std::string& cable) const {
    return {find_link(platform_, cable + "/up"), find_link(platform_, cable + "/down")};
  }

  Platform platform_ = two_cables();
  Detour routes_{platform_};
  Fluid fluid_{nominal_capacities(platform_), platform_};
  FlowNetwork network_{fluid_};
  Fluid::Instant begin_ = fluid_.now();
  Network::Prepared collective_ = -1;
};

// Every edge carries 2 (n-1)/n of the buffer.
const double kBytes = 2 * 3.0 / 4 * 1024 * 1024 * 1024;
const double kTimeout = in_seconds(Transport{}.timeout);

TEST(LinkFailure, StallsSlowsAndIsOverWhenTheLinkReturns) {
  Play play;
  const double failed = 0.005, resumed = failed + kTimeout, returned = resumed + 0.010;
  play.until(failed);
  play.down("leaf0/spine0/cable0", 0);
  play.until(returned);
  play.up("leaf0/spine0/cable0");
  play.to_the_end();

  // Full speed, nothing, both transfers on one cable, full speed.
  const double moved = (failed - play.latency) * kNic + (returned - resumed) * kNic / 2;
  EXPECT_NEAR(play.ended_at, returned + (kBytes - moved) / kNic, 1e-9);
  EXPECT_EQ(play.aborted_at, -1);

  double carried = 0;
  for (const char* cable : {"leaf0/spine0/cable0/up", "leaf0/spine0/cable1/up"})
    carried += play.bytes()[find_link(play.platform(), cable).index()];
  EXPECT_NEAR(carried, 2 * kBytes, 1);  // every byte once, whatever its route
}

TEST(LinkFailure, ThatLastsIsSlowerToTheEnd) {
  Play play;
  play.until(0.005);
  play.down("leaf0/spine0/cable0", 0);
  play.to_the_end();
  const double left = kBytes - (0.005 - play.latency) * kNic;
  EXPECT_NEAR(play.ended_at, 0.005 + kTimeout + left / (kNic / 2), 1e-9);
}

TEST(LinkFailure, OfANicsOnlyCableIsSatOutWithinTheRetryBudget) {
  Play play;
  play.until(0.005);
  play.down("node0/nic0", -1);
  play.until(3.5 * kTimeout);
  play.up("node0/nic0");
  play.to_the_end();
  const double left = kBytes - (0.005 - play.latency) * kNic;
  EXPECT_NEAR(play.ended_at, 0.005 + 4 * kTimeout + left / kNic, 1e-9);
}

TEST(LinkFailure, BeyondTheRetryBudgetAbortsTheCommunicator) {
  Play play;
  play.until(0.005);
  play.down("node0/nic0", -1);
  play.to_the_end();
  EXPECT_NEAR(play.aborted_at, 0.005 + 7 * kTimeout, 1e-9);
  EXPECT_EQ(play.waited_for, "node0/nic0/up");
  EXPECT_EQ(play.ended_at, -1);
}

TEST(LinkFailure, BeforeTheStartIsRoutedAround) {
  Play play;
  play.down("leaf0/spine0/cable0", 0);  // while the latency is being paid
  play.to_the_end();
  EXPECT_NEAR(play.ended_at, kTimeout + play.latency + kBytes / (kNic / 2), 1e-9);
}

TEST(Capacity, ThatChangesUnderAFlowChangesItsRate) {
  const Platform platform = two_cables();
  Fluid fluid(nominal_capacities(platform), platform);
  struct : Listener {
    void completed(std::int64_t /*tag*/) override { ended = true; }
    bool ended = false;
  } listener;
  const LinkId link = platform.nics.front().up;
  const auto group = std::make_shared<const FlowGroup>(FlowGroup{{{link, 1}}, {}, kNic, {}});
  fluid.start_flow(0, fluid.add_pattern(group), &listener, 0);
  const Fluid::Instant begin = fluid.now();
  fluid.until_next();
  fluid.advance(Seconds(0));
  fluid.until_next();
  fluid.advance(Seconds(0.25));
  fluid.set_capacity(link, kNic / 3);
  while (!listener.ended) fluid.advance(fluid.until_next());
  EXPECT_NEAR(in_seconds(fluid.now() - begin), 0.25 + 3 * 0.75, 1e-12);
}

}  // namespace
}  // namespace trainyard
