// A calibrated collective takes what its law says, and no more of a link than its efficiency.
#include "network/calibrated.hpp"

#include "network/flow_network.hpp"
#include "network/max_min.hpp"
#include "platforms/xml.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trainyard {
namespace {

class Calibrated : public ::testing::Test {
protected:
  Platform platform = load_platform(std::string(TRAINYARD_SOURCE_DIR) + "/platforms/tiny_2x4.xml");
  std::unique_ptr<Routing> routing = make_routing(platform, {});
  Capacities nominal = nominal_capacities(platform);
  Calibration calibration;
  CollectiveSpec spec;

  void SetUp() override {
    CollectiveLaw law;
    law.algorithm = "ring";
    law.from = bytes(1);
    law.to = gibibytes(1);
    law.base = microseconds(20);
    law.per_step = microseconds(3);
    law.fill = microseconds(50);
    law.efficiency = 0.75;
    calibration.laws = {law};
    spec.collective = {CollectiveKind::AllReduce, 4, mebibytes(64), 4};
    spec.algorithm = find_algorithm(CollectiveKind::AllReduce, "ring");
    spec.members = {{GpuId(0), GpuId(1), GpuId(2), GpuId(3)}};
  }
  Seconds alone() const { return alone_duration(lower(spec, platform, *routing), nominal); }
};

TEST_F(Calibrated, ACollectiveTakesItsLaw) {
  const Seconds ideal = alone();
  spec.calibration = &calibration;
  const double wire = 2.0 * 3 / 4 * double(64 << 20) / 400e9;  // NVLink of tiny_2x4
  const double path = 6 * 1e-6;                                // 2(n-1) rounds of up and down
  EXPECT_NEAR(in_seconds(ideal), path + wire, 1e-12);
  const double paid = wire / 0.75;
  EXPECT_NEAR(in_seconds(alone()), path + 20e-6 + 6 * 3e-6 + paid + 2 * std::sqrt(50e-6 * paid),
              1e-12);
}

TEST_F(Calibrated, TheCapHoldsUnderSharing) {
  spec.calibration = &calibration;
  const Lowered groups = lower(spec, platform, *routing);
  MaxMin solver(nominal, platform);
  const auto one = solver.add(*groups[0]);
  solver.solve();
  EXPECT_NEAR(solver.rate(one), 0.75 * 400e9, 1);
  FlowGroup weak = *groups[0];  // a second one that asks for little
  weak.rate_cap = 50e9;
  const auto two = solver.add(weak);
  solver.solve();
  EXPECT_NEAR(solver.rate(two), 50e9, 1);
  EXPECT_NEAR(solver.rate(one), 300e9, 1) << "350 are left, its own cap holds";
}

TEST_F(Calibrated, WithoutALawForItsNodesNcclsConstantsHold) {
  calibration.laws[0].nodes_from = calibration.laws[0].nodes_to = 2;
  spec.calibration = &calibration;
  const CollectiveLaw law = assumed_law(spec.collective, "ring", 6, Seconds(1));
  EXPECT_EQ(law.base, microseconds(8.4));
  EXPECT_EQ(law.per_step, microseconds(3.4));
  const double wire = 2.0 * 3 / 4 * double(64 << 20) / 400e9;
  EXPECT_NEAR(in_seconds(alone()), 6e-6 + 8.4e-6 + 6 * 3.4e-6 + wire / 0.8, 1e-9);
}

}  // namespace
}  // namespace trainyard
