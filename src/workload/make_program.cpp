// The Program of one step of a TrainingPlan.
#include "workload/program_rewrite.hpp"
#include "workload/training_plan.hpp"

namespace trainyard {

namespace {

constexpr int kComputeStream = 0;
constexpr int kTensorStream = 1;
constexpr int kDataStream = 2;
constexpr int kNone = -1;

// Lists the operations of a step in the order in which a rank issues them.
class StepWriter {
public:
  StepWriter(const TrainingPlan& plan, int gpus, int width)
      : plan_(plan), width_(width), data_ranks_(gpus / width) {}

  Program write() {
    for (int layer = 0; layer < plan_.layers; ++layer) add_layer("forward", layer, plan_.forward);
    int first_of_bucket = plan_.layers - 1;
    for (int layer = plan_.layers - 1; layer >= 0; --layer) {
      const int computed = add_layer("backward", layer, plan_.backward);
      if (first_of_bucket - layer + 1 < plan_.layers_per_bucket && layer > 0) continue;
      add_gradients(first_of_bucket, layer, computed);
      first_of_bucket = layer - 1;
    }
    if (plan_.optimizer > Seconds()) add_optimizer();
    return std::move(program_);
  }

private:
  // A layer is as many equal blocks (attention, MLP) as it has tensor all-reduces, each of which
  // needs the sum over the tensor group before the next block can start. Returns its last compute.
  int add_layer(const std::string& pass, int layer, Seconds duration) {
    const std::string name = pass + "_" + std::to_string(layer);
    if (width_ == 1) return add_compute(name, duration);
    int computed = kNone;
    for (int block = 0; block < plan_.tensor_all_reduces; ++block) {
      const std::string block_name = name + "_" + std::to_string(block);
      computed = add_compute(block_name, duration / plan_.tensor_all_reduces);
      tensor_reduced_ = add_tensor_all_reduce(block_name + "_tensor", computed);
    }
    return computed;
  }

  int add_compute(const std::string& name, Seconds duration) {
    Operation compute;
    compute.name = name;
    compute.stream = kComputeStream;
    compute.duration = duration * (static_cast<double>(plan_.tensor) / width_);
    if (tensor_reduced_ != kNone) compute.after = {tensor_reduced_};
    return add(std::move(compute));
  }

  int add_tensor_all_reduce(const std::string& name, int computed) {
    Operation all_reduce;
    all_reduce.name = name;
    all_reduce.kind = Operation::Kind::Communicate;
    all_reduce.stream = kTensorStream;
    all_reduce.group = Group::Tensor;
    all_reduce.size = plan_.tensor_message;
    all_reduce.after = {computed};
    return add(std::move(all_reduce));
  }

  void add_gradients(int first_layer, int last_layer, int computed) {
    if (data_ranks_ == 1) return;
    Operation all_reduce;
    all_reduce.name = "gradients_" + std::to_string(first_layer);
    if (last_layer != first_layer) all_reduce.name += ".." + std::to_string(last_layer);
    all_reduce.kind = Operation::Kind::Communicate;
    all_reduce.stream = kDataStream;
    all_reduce.algorithm = plan_.all_reduce;
    all_reduce.group = Group::Data;
    const Bytes of_bucket = plan_.gradient_per_layer * (first_layer - last_layer + 1);
    all_reduce.size = of_bucket * plan_.tensor / width_;
    all_reduce.after = {computed};
    gradients_reduced_ = add(std::move(all_reduce));
  }

  void add_optimizer() {
    const int optimizer = add_compute("optimizer", plan_.optimizer);
    if (gradients_reduced_ != kNone)
      program_.operations[static_cast<std::size_t>(optimizer)].after.push_back(gradients_reduced_);
  }

  int add(Operation operation) {
    program_.operations.push_back(std::move(operation));
    return static_cast<int>(program_.operations.size()) - 1;
  }

  const TrainingPlan& plan_;
  int width_;
  int data_ranks_;
  Program program_;
  int tensor_reduced_ = kNone;     // the last all-reduce of the tensor group
  int gradients_reduced_ = kNone;  // the last all-reduce of the data group
};

// The user's own operations, but for collectives that a single rank would hold with itself.
Program custom_program(const TrainingPlan& plan, int gpus, int width) {
  std::vector<bool> alone;
  for (const Operation& operation : plan.custom) {
    int ranks = gpus;
    if (operation.group == Group::Tensor) ranks = width;
    if (operation.group == Group::Data) ranks = gpus / width;
    alone.push_back(operation.kind == Operation::Kind::Communicate && ranks == 1);
  }
  return without({plan.custom}, alone);
}

}  // namespace

Program make_program(const TrainingPlan& plan, int gpus, int gpus_per_node) {
  const int width = plan.tensor_width(gpus, gpus_per_node);
  if (!plan.custom.empty()) return custom_program(plan, gpus, width);
  return merge_computations(StepWriter(plan, gpus, width).write());
}

}  // namespace trainyard
