#include "workload/training_plan.hpp"

#include "workload/plan_values.hpp"

#include <algorithm>

namespace trainyard {

namespace {

// Far above any model, and small enough that bytes x layers x width fit 64 bits.
constexpr int kMostLayers = 4096;
constexpr int kWidestTensor = 1024;
constexpr Bytes kLargestGradient = gibibytes(1024);

int bounded(Section& section, const std::string& key, std::int64_t value, int at_most) {
  if (value > at_most) throw section.error(key, "must be at most " + std::to_string(at_most));
  return static_cast<int>(value);
}

// With `tensor: 1` the messages may be there, for a sweep over widths, and mean nothing.
void read_tensor_messages(Section& section, TrainingPlan& plan) {
  plan.tensor_all_reduces =
      bounded(section, "tensor_all_reduces", section.integer_or("tensor_all_reduces", 1, 2), 64);
  if (plan.tensor == 1 && !section.has("tensor_message")) return;
  const Bytes message = section.bytes("tensor_message");
  if (plan.tensor > 1) plan.tensor_message = message;
}

void read_gradients(Section& section, TrainingPlan& plan) {
  plan.gradient_per_layer = section.bytes("gradient_per_layer");
  if (plan.gradient_per_layer > kLargestGradient)
    throw section.error("gradient_per_layer", "must be at most 1 TiB");
  const std::int64_t per_bucket = section.integer_or("layers_per_bucket", 1, 1);
  if (per_bucket > plan.layers)
    throw section.error("layers_per_bucket", "is more than the " + std::to_string(plan.layers) +
                                                 " layers of the plan, got '" +
                                                 std::to_string(per_bucket) + "'");
  plan.layers_per_bucket = static_cast<int>(per_bucket);
  if (section.has("all_reduce"))
    plan.all_reduce = section.one_of("all_reduce", algorithm_names(CollectiveKind::AllReduce));
}

}  // namespace

int TrainingPlan::tensor_width(int gpus, int gpus_per_node) const {
  if (steps) return steps->gpus_per_block(gpus, gpus_per_node);
  int width = std::max(1, std::min({tensor, gpus, gpus_per_node}));
  while (gpus % width != 0) --width;
  return width;
}

TrainingPlan at_size(TrainingPlan plan, int stated, int gpus) {
  if (gpus == stated) return plan;
  const double share = static_cast<double>(stated) / gpus;
  plan.forward = plan.forward * share;
  plan.backward = plan.backward * share;
  plan.tensor_message = plan.tensor_message * stated / gpus;
  return plan;
}

TrainingPlan read_training_plan(Section& section) {
  TrainingPlan plan;
  plan.name = section.maybe_text("name").value_or("");
  plan.tensor = bounded(section, "tensor", section.integer_or("tensor", 1, 1), kWidestTensor);
  if (section.has("operations")) {
    plan.custom = read_program(section).operations;
  } else {
    plan.layers = bounded(section, "layers", section.positive_int("layers"), kMostLayers);
    plan.forward = positive_seconds(section, "forward");
    plan.backward = positive_seconds(section, "backward");
    plan.optimizer = section.seconds_or("optimizer", Seconds());
    read_tensor_messages(section, plan);
    read_gradients(section, plan);
  }
  section.finish();
  return plan;
}

}  // namespace trainyard
