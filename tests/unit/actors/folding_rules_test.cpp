// Which ranks fold: programs small enough to see how many classes there must be.
#include "actors/step_model.hpp"
#include "network/routing_choice.hpp"
#include "platforms/xml.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace trainyard {

namespace {

Operation collective(CollectiveKind kind, Group group, int stream, std::vector<int> after) {
  Operation operation;
  operation.name = "c";
  operation.kind = Operation::Kind::Communicate;
  operation.collective = kind;
  operation.group = group;
  operation.size = mebibytes(100);
  operation.stream = stream;
  operation.after = std::move(after);
  return operation;
}

Operation compute(double ms, int stream, std::vector<int> after) {
  Operation operation;
  operation.name = "k";
  operation.duration = milliseconds(ms);
  operation.stream = stream;
  operation.after = std::move(after);
  return operation;
}

// Classes of a job with tensor groups of two on all of a machine of nominal speed.
std::size_t folded_classes(std::vector<Operation> operations) {
  const Platform platform = load_platform(TRAINYARD_SOURCE_DIR "/platforms/tiny_2x4.xml", {});
  const auto routing = make_routing(platform, {platform.default_routing, 1, 7});
  Machine machine;
  machine.platform = &platform;
  machine.routing = routing.get();
  machine.capacities = nominal_capacities(platform);
  machine.gpu_slowdown.assign(platform.gpus.size(), 1.0);
  Program program;
  program.operations = std::move(operations);
  Allocation all;
  for (int gpu = 0; gpu < platform.gpu_count(); ++gpu) all.gpus.emplace_back(gpu);
  return make_step_model(program, all, {/*tensor=*/2, /*fold=*/true}, machine).classes.size();
}

constexpr auto kReduce = CollectiveKind::AllReduce;

}  // namespace

TEST(FoldingOf, TensorGroupsThatWaitBeforeTheyTalkToOthersIsOneClass) {
  EXPECT_EQ(folded_classes({compute(1, 0, {}), collective(kReduce, Group::Tensor, 1, {0}),
                            collective(kReduce, Group::Data, 2, {1})}),
            1U);
}

TEST(FoldingOf, RanksThatNoTensorCollectiveTiesTogetherIsByTensorIndex) {
  EXPECT_EQ(folded_classes({compute(1, 0, {}), collective(kReduce, Group::Data, 1, {0})}), 2U);
}

TEST(FoldingOf, RanksThatStartAStepWithADataCollectiveIsNotDone) {
  EXPECT_EQ(folded_classes({collective(kReduce, Group::Data, 1, {}),
                            collective(kReduce, Group::Tensor, 2, {0})}),
            8U);
}

TEST(FoldingOf, RanksThatComputeBetweenTwoDataCollectivesIsNotDone) {
  EXPECT_EQ(folded_classes({collective(kReduce, Group::Tensor, 1, {}),
                            collective(kReduce, Group::Data, 2, {0}), compute(1, 0, {1}),
                            collective(kReduce, Group::Data, 2, {2})}),
            8U);
}

}  // namespace trainyard
