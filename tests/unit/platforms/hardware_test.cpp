// What a file may say of its parts, and what follows from it when it says nothing.

#include "unit/platforms/examples.hpp"

#include <gtest/gtest.h>

namespace trainyard {
namespace {

using namespace testing;

Platform hgx(const PropertyList& more) {
  return build(with(
      with({{"topology", "single_switch"}, {"switch_latency", "1 us"}}, nvlink_nodes(2, 8)), more));
}

std::string complaint(const PropertyList& more) {
  try {
    hgx(more);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Hardware, IsUnknownWhereNobodySaid) {
  const Hardware hardware = hgx({}).hardware;
  EXPECT_EQ(hardware.gpu + hardware.cpu_vendor + hardware.network, "");
  EXPECT_EQ(hardware.nvlinks_per_gpu, 0);
  EXPECT_EQ(hardware.sharp_trees, 0);
  EXPECT_FALSE(hardware.nvls);
}

TEST(Hardware, IsWhatTheFileSays) {
  const Hardware hardware = hgx({{"gpu", "A100"},
                                 {"cpu_vendor", "amd"},
                                 {"network", "infiniband"},
                                 {"nvlinks_per_gpu", "12"},
                                 {"sharp_trees", "63"}})
                                .hardware;
  EXPECT_EQ(hardware.gpu, "A100");
  EXPECT_EQ(hardware.cpu_vendor, "amd");
  EXPECT_EQ(hardware.network, "infiniband");
  EXPECT_EQ(hardware.nvlinks_per_gpu, 12);
  EXPECT_EQ(hardware.sharp_trees, 63);
}

TEST(Hardware, ReducesInTheSwitchFromH100OnUnlessTheFileSaysNo) {
  for (const char* gpu : {"H100", "H200", "B200", "GB200", "GH200"})
    EXPECT_TRUE(hgx({{"gpu", gpu}}).hardware.nvls) << gpu;
  for (const char* gpu : {"V100", "A100", "MI300X"})
    EXPECT_FALSE(hgx({{"gpu", gpu}}).hardware.nvls) << gpu;
  EXPECT_FALSE(hgx({{"gpu", "H100"}, {"nvls", "no"}}).hardware.nvls);
  EXPECT_TRUE(hgx({{"nvls", "yes"}}).hardware.nvls);
}

TEST(Hardware, ReducesInNoSwitchWhereThereIsNone) {
  const PropertyList lone =
      with({{"topology", "single_switch"}, {"switch_latency", "1 us"}}, single_gpu_nodes(2));
  EXPECT_FALSE(build(with(lone, {{"gpu", "H100"}})).hardware.nvls);
  EXPECT_THROW(build(with(lone, {{"nvls", "yes"}})), InfeasibleError);
}

TEST(Hardware, SettlesTheRoutingThatIsUsualForTheNetwork) {
  const auto routing = [](const PropertyList& more) { return hgx(more).default_routing; };
  EXPECT_EQ(routing({}), RoutingPolicy::Static);
  EXPECT_EQ(routing({{"network", "infiniband"}}), RoutingPolicy::Static);
  EXPECT_EQ(routing({{"network", "roce"}}), RoutingPolicy::Ecmp);
  EXPECT_EQ(routing({{"network", "efa"}}), RoutingPolicy::Spray);
  EXPECT_EQ(routing({{"network", "slingshot"}}), RoutingPolicy::Adaptive);
  EXPECT_EQ(routing({{"network", "slingshot"}, {"routing", "ecmp"}}), RoutingPolicy::Ecmp);
  for (const std::string& name : routing_names()) EXPECT_EQ(to_string(routing_named(name)), name);
}

TEST(Hardware, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(complaint({{"gpu", "h100"}}),
            "test.xml:10:5: fabric.gpu: unknown value 'h100'; did you mean 'H100'?");
  EXPECT_EQ(complaint({{"sharp_trees", "8"}}),
            "test.xml:10:5: fabric.sharp_trees: only InfiniBand switches reduce (SHARP), but "
            "'network' is not given");
  EXPECT_EQ(complaint({{"network", "roce"}, {"sharp_trees", "8"}}),
            "test.xml:11:5: fabric.sharp_trees: only InfiniBand switches reduce (SHARP), but "
            "'network' is 'roce'");
  EXPECT_EQ(complaint({{"network", "roce"}, {"sharp_trees", "0"}}), "");
  EXPECT_EQ(complaint({{"sharp_trees", "-1"}}),
            "test.xml:10:5: fabric.sharp_trees: must be a number, 0 or more, got '-1'");
}

}  // namespace
}  // namespace trainyard
