#include "workload/steps/writers/block_writer.hpp"

namespace trainyard {

namespace {

const char* name_of(BlockKind kind) {
  switch (kind) {
    case BlockKind::Attention:
      return "attention";
    case BlockKind::Mlp:
      return "mlp";
    case BlockKind::Experts:
      return "experts";
  }
  return "";
}

}  // namespace

Bytes BlockWriter::hidden_state() const {
  return Bytes(2 * sizes_.share.tokens * sizes_.model.hidden);
}

void BlockWriter::gather_input() {
  if (sizes_.layout.sequence_parallel)
    writer_.communicate("gather", among_tensor(CollectiveKind::AllGather, hidden_state()));
}

// The first piece is there at once, the last when all is gathered.
void BlockWriter::matrix_of_gathered(const std::string& name, const Work& matrix) {
  if (!sizes_.layout.overlap_tensor) {
    gather_input();
    return writer_.compute(name, matrix);
  }
  const int pieces = sizes_.widths.tensor;
  const int gathered =
      writer_.start("gather", among_tensor(CollectiveKind::AllGather, hidden_state()));
  writer_.compute(name, matrix / pieces * (pieces - 1));
  writer_.wait(gathered);
  writer_.compute(name, matrix / pieces);
}

void BlockWriter::matrix_to_scatter(const std::string& name, const Work& matrix) {
  const Message sum = among_tensor(CollectiveKind::AllReduce, hidden_state());
  const Message scatter = among_tensor(CollectiveKind::ReduceScatter, hidden_state());
  if (!sizes_.layout.overlap_tensor) {
    writer_.compute(name, matrix);
    return sizes_.layout.sequence_parallel ? writer_.communicate("scatter", scatter)
                                           : writer_.communicate("sum", sum);
  }
  const int pieces = sizes_.widths.tensor;
  writer_.compute(name, matrix / pieces);
  const int scattered = writer_.start("scatter", scatter);
  writer_.compute(name, matrix / pieces * (pieces - 1));
  writer_.wait(scattered);
}

void BlockWriter::forward(BlockKind kind, const Block& block) {
  const std::string name = name_of(kind);
  writer_.compute(name, block.before.forward);
  if (kind == BlockKind::Experts) {
    into_experts("dispatch", dispatch());
    writer_.compute(name, block.in.forward + block.middle.forward + block.out.forward);
    out_of_experts("combine");
  } else {
    matrix_of_gathered(name, block.in.forward);
    kind == BlockKind::Attention ? core_forward(block.middle.forward)
                                 : writer_.compute(name, block.middle.forward);
    matrix_to_scatter(name, block.out.forward);
  }
  writer_.compute(name, block.after.forward);
}

void BlockWriter::backward(BlockKind kind, const Block& block, Gradients gradients) {
  const std::string name = name_of(kind);
  if (gradients == Gradients::Weights) {
    writer_.compute(name + " weights", block.out.weights);
    kind == BlockKind::Experts ? writer_.compute(name + " weights", block.in.weights)
                               : weights_of_column_matrix(block.in);
    return writer_.compute(name, block.before.weights);
  }
  const bool weights = gradients == Gradients::Both;
  writer_.compute(name, block.after.inputs);
  if (kind == BlockKind::Experts) {
    into_experts("combine back", all_to_all());
    writer_.compute(name, block.out.inputs);
  } else {
    matrix_of_gathered(name, block.out.inputs);
  }
  if (weights) writer_.compute(name + " weights", block.out.weights);
  kind == BlockKind::Attention ? core_backward(block.middle)
                               : writer_.compute(name, block.middle.inputs);
  if (kind == BlockKind::Experts) {
    writer_.compute(name, block.in.inputs);
    if (weights) writer_.compute(name + " weights", block.in.weights);
    out_of_experts("dispatch back");
  } else {
    inputs_of_column_matrix(block.in, gradients);
  }
  writer_.compute(name, block.before.inputs);
  if (weights) writer_.compute(name, block.before.weights);
}

// The input's gradient, summed over tensor ranks while the weights' gradients are computed.
void BlockWriter::inputs_of_column_matrix(const Part& matrix, Gradients gradients) {
  const bool scatter = sizes_.layout.sequence_parallel;
  const bool weights = gradients == Gradients::Both;
  int gathered = ProgramWriter::kNone;
  if (scatter && weights)
    gathered =
        writer_.start("gather again", among_tensor(CollectiveKind::AllGather, hidden_state()));
  writer_.compute("inputs", matrix.inputs);
  const int summed = writer_.start(
      scatter ? "scatter back" : "sum back",
      among_tensor(scatter ? CollectiveKind::ReduceScatter : CollectiveKind::AllReduce,
                   hidden_state()));
  writer_.wait(gathered);
  if (weights) writer_.compute("weights", matrix.weights);
  writer_.wait(summed);
}

// Put off, they need the whole input again as much as at once.
void BlockWriter::weights_of_column_matrix(const Part& matrix) {
  if (sizes_.layout.sequence_parallel)
    writer_.communicate("gather again", among_tensor(CollectiveKind::AllGather, hidden_state()));
  writer_.compute("weights", matrix.weights);
}

Message BlockWriter::all_to_all() const {
  const std::int64_t tokens = dispatched_tokens(sizes_.model, sizes_.share) / sizes_.widths.tensor;
  return {slots_.expert, CollectiveKind::AllToAll, Bytes(2 * tokens * sizes_.model.hidden)};
}

Message BlockWriter::among_expert_tensor(CollectiveKind kind) const {
  if (sizes_.widths.expert_tensor == 1) return {};
  return among_tensor(kind, Bytes(2 * expert_tokens(sizes_) * sizes_.model.hidden));
}

Message BlockWriter::dispatch() const {
  Message message = all_to_all();
  if (sizes_.layout.dispatch == Precision::Fp8) message.size = message.size / 2;
  return message;
}

void BlockWriter::into_experts(const char* name, const Message& message) {
  writer_.communicate(name, message);
  writer_.communicate("gather tokens", among_expert_tensor(CollectiveKind::AllGather));
}

void BlockWriter::out_of_experts(const char* name) {
  writer_.communicate("scatter tokens", among_expert_tensor(CollectiveKind::ReduceScatter));
  writer_.communicate(name, all_to_all());
}

}  // namespace trainyard
