#include "workload/steps/writers/chunk_writer.hpp"

namespace trainyard {

namespace {

std::string label(const std::string& pass, const Unit& unit) {
  switch (unit.kind) {
    case Unit::Kind::Embedding:
      return pass + "embedding ";
    case Unit::Kind::Head:
      return pass + "head ";
    case Unit::Kind::Layer:
      return pass + "l" + std::to_string(unit.layer) + " ";
  }
  return pass;
}

}  // namespace

void ChunkWriter::forward(int chunk, const std::vector<Unit>& units, const std::string& name) {
  for (int i = 0; i < static_cast<int>(units.size()); ++i) {
    const Unit& unit = units[static_cast<std::size_t>(i)];
    writer_.label(label(name, unit));
    data_.before_forward({chunk, i});
    forward(unit);
    data_.after_forward({chunk, i});
  }
}

void ChunkWriter::backward(int chunk, const std::vector<Unit>& units, const std::string& name,
                           Gradients gradients) {
  int layers = 0;
  for (const Unit& unit : units) layers += unit.kind == Unit::Kind::Layer ? 1 : 0;
  for (int i = static_cast<int>(units.size()) - 1; i >= 0; --i) {
    const Unit& unit = units[static_cast<std::size_t>(i)];
    writer_.label(label(name, unit));
    if (gradients != Gradients::Weights) {
      data_.before_backward({chunk, i});
      if (unit.kind == Unit::Kind::Layer && recomputed(--layers)) layer(unit.layer);
    }
    backward(unit, gradients);
    if (gradients != Gradients::Weights) data_.after_backward({chunk, i});
    if (gradients != Gradients::Inputs) data_.after_weights({chunk, i}, turn_);
  }
}

bool ChunkWriter::recomputed(int layer_of_chunk) const {
  const Layout& layout = plan_.sizes.layout;
  if (layout.recompute != Recompute::Full) return false;
  return layout.recompute_layers == 0 || layer_of_chunk < layout.recompute_layers;
}

void ChunkWriter::forward(const Unit& unit) {
  if (unit.kind == Unit::Kind::Embedding) return embed();
  if (unit.kind == Unit::Kind::Head) return head();
  layer(unit.layer);
}

void ChunkWriter::backward(const Unit& unit, Gradients gradients) {
  if (unit.kind == Unit::Kind::Embedding) return embed_backward(gradients);
  if (unit.kind == Unit::Kind::Head) return head_backward(gradients);
  layer_backward(unit.layer, gradients);
}

// A rank looks up the words it has; the sum over tensor ranks is every token's vector. Learned
// positions are added to whole sequences, which are divided only then.
void ChunkWriter::embed() {
  const bool scatter =
      plan_.sizes.layout.sequence_parallel && plan_.sizes.model.positions != Positions::Learned;
  writer_.compute("lookup", plan_.blocks.embedding.forward / 2);
  writer_.communicate(
      scatter ? "scatter" : "sum",
      block_.among_tensor(scatter ? CollectiveKind::ReduceScatter : CollectiveKind::AllReduce,
                          block_.hidden_state()));
  writer_.compute("add", plan_.blocks.embedding.forward / 2);
}

void ChunkWriter::embed_backward(Gradients gradients) {
  if (gradients == Gradients::Inputs) return;
  block_.gather_input();
  writer_.compute("weights", plan_.blocks.embedding.inputs);
}

// The loss over a divided vocabulary: the largest logit, the logit that should be, and the sum of
// exponentials, each of every token and in 32 bits.
void ChunkWriter::head() {
  const Block& block = plan_.blocks.head;
  writer_.compute("norm", block.before.forward);
  block_.gather_input();
  writer_.compute("logits", block.in.forward);
  for (const char* sum : {"largest", "wanted", "exponentials"}) {
    writer_.compute("loss", block.middle.forward / 4);
    writer_.communicate(
        sum, block_.among_tensor(CollectiveKind::AllReduce, Bytes(4 * plan_.sizes.share.tokens)));
  }
  writer_.compute("loss", block.middle.forward / 4);
}

void ChunkWriter::head_backward(Gradients gradients) {
  const Block& block = plan_.blocks.head;
  if (gradients == Gradients::Weights) {
    block_.gather_input();
    return writer_.compute("weights", block.in.weights);
  }
  writer_.compute("loss", block.middle.inputs);
  block_.inputs_of_column_matrix(block.in, gradients);
  writer_.compute("norm", block.before.inputs);
}

void ChunkWriter::layer(int layer) {
  block_.forward(BlockKind::Attention, plan_.blocks.attention);
  mlp_or_experts(layer);
}

// A shared expert is an MLP of its own beside the others; its norm is theirs.
void ChunkWriter::mlp_or_experts(int layer) {
  const ModelSpec& model = plan_.sizes.model;
  if (!model.has_experts(layer)) return block_.forward(BlockKind::Mlp, plan_.blocks.mlp);
  if (model.experts.shared_ffn > 0) block_.forward(BlockKind::Mlp, plan_.blocks.shared_expert);
  block_.forward(BlockKind::Experts, plan_.blocks.experts);
}

void ChunkWriter::layer_backward(int layer, Gradients gradients) {
  const ModelSpec& model = plan_.sizes.model;
  if (!model.has_experts(layer)) {
    block_.backward(BlockKind::Mlp, plan_.blocks.mlp, gradients);
  } else {
    block_.backward(BlockKind::Experts, plan_.blocks.experts, gradients);
    if (model.experts.shared_ffn > 0)
      block_.backward(BlockKind::Mlp, plan_.blocks.shared_expert, gradients);
  }
  block_.backward(BlockKind::Attention, plan_.blocks.attention, gradients);
}

}  // namespace trainyard
