// ChunkWriter: the passes of one micro-batch through one chunk of a stage's layers.
#pragma once

#include "workload/steps/writers/stage_writer.hpp"

#include <string>

namespace trainyard {

class ChunkWriter {
public:
  ChunkWriter(ProgramWriter& writer, const StepPlan& plan, DataWriter& data)
      : writer_(writer), plan_(plan), data_(data), block_(writer, plan.sizes, plan.slots) {}

  // `name` stands before the names of operations: "f3 ".
  void forward(int chunk, const std::vector<Unit>& units, const std::string& name);
  void backward(int chunk, const std::vector<Unit>& units, const std::string& name,
                Gradients gradients);
  void finishes_gradients(DataWriter::Turn turn) { turn_ = turn; }

private:
  void forward(const Unit& unit);
  void backward(const Unit& unit, Gradients gradients);
  void embed();
  void embed_backward(Gradients gradients);
  void head();
  void head_backward(Gradients gradients);
  void layer(int layer);
  void layer_backward(int layer, Gradients gradients);
  void mlp_or_experts(int layer);
  bool recomputed(int layer_of_chunk) const;

  ProgramWriter& writer_;
  const StepPlan& plan_;
  DataWriter& data_;
  BlockWriter block_;
  DataWriter::Turn turn_ = DataWriter::Turn::More;
};

}  // namespace trainyard
